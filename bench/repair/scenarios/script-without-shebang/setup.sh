#!/usr/bin/env bash
set -eu
printf 'import sys\nwords = open(sys.argv[1]).read().split()\nprint(len(words), file=open("summary.txt", "w"))\n' > summary.py
chmod +x summary.py
echo 'one two three four' > words.txt
