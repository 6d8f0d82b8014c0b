import unittest

from wordcount import count


class CountTest(unittest.TestCase):
    def test_most_frequent_first(self):
        self.assertEqual(count("b a b"), [("b", 2), ("a", 1)])

    def test_case_does_not_count(self):
        self.assertEqual(count("The the THE"), [("the", 3)])
