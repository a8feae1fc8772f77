"""Settings that hold for every test."""

from hypothesis import settings

# No deadline: two busy cores are slower than one idle. The same examples each time: a failure can be run again.
settings.register_profile("localeval", deadline=None, derandomize=True)
settings.load_profile("localeval")
