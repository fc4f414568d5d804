"""Read what students submitted in limited processes: what is wrong with one submission never stops the others."""
