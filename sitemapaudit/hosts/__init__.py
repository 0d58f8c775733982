"""The limits of each host: its robots.txt, its pace, and whether it denies access."""
