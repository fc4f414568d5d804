"""Read what students submitted in limited processes: a problem with one submission never stops the others."""
