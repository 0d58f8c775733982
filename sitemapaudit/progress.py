"""placeholder"""
class Progress:
    pass
