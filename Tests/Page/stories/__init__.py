"""What people do on the page, and what they must see. Importing this registers every story, in the order in which they run."""

from . import letting_in, writing, messages, reading, steadiness, lists, groups, files, people, insight, screens, crowds, devices, intruders, interruptions  # noqa: F401, E401
