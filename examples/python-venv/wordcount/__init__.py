"""Counts words."""

from collections import Counter
import re


def count(text):
    """The words of a text and how often each is there, most frequent first."""
    words = re.findall(r"[a-z']+", text.lower())
    return sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]))
