"""Who plays when and where: one match with its seats, and (to come) many of them on all cores."""
