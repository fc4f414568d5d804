"""Runs that something goes wrong around: processes killed, disks that fill, folders that change, a machine that is busy."""
