"""Learning backgammon by self-play: ``python -m training PRESET``."""
