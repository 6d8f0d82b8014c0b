#!/usr/bin/env bash
set -eu
echo 'def add(a, b): return a - b' > add.py
printf 'import unittest\nfrom add import add\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 2), 4)\n' > test_add.py
sha256sum add.py test_add.py > ../sums
