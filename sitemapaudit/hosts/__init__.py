"""What each host allows: its robots.txt, its pace, and whether it denies access."""
