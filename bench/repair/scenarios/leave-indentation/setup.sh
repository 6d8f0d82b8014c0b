#!/usr/bin/env bash
set -eu
printf 'def job():\n    print("a")\n   print("b")\njob()\n' > job.py
sha256sum job.py > ../sums
