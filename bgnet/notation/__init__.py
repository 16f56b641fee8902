"""Text and files in and out: plays, position ids, boards, matches."""
