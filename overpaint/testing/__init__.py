"""For tests, ours and users': a fake OpenAI-style server and a scripted model."""

from overpaint.testing.asked import Asked
from overpaint.testing.behaviours import BEHAVIOURS
from overpaint.testing.counting import Counts
from overpaint.testing.script import Rule, Script, Share
from overpaint.testing.scripted import Question, Scripted
from overpaint.testing.server import FakeServer

__all__ = [
    "BEHAVIOURS", "Asked", "Counts", "FakeServer", "Question", "Rule", "Script", "Scripted",
    "Share",
]  # fmt: skip
