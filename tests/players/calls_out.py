"""Cases 54 and 55: HTTP, UDP and local sockets, all on the loopback interface only."""

import socket
import urllib.request


def http():
    urllib.request.urlopen("http://127.0.0.1:9/", timeout=1)


def udp():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 53))


def listen():
    socket.create_server(("127.0.0.1", 0))


def abstract():
    socket.socket(socket.AF_UNIX).connect("\0grader-attack")


def datagram_pair():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"x", "\0grader-attack")


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for attack in (http, udp, listen, abstract, datagram_pair):
            try:
                attack()
                print("SUCCEEDED", attack.__name__)
            except OSError as error:
                denied = isinstance(getattr(error, "reason", error), PermissionError)
                print(error if denied else f"SUCCEEDED {attack.__name__}: {error}")
        return board.get_possible_moves()[0]
