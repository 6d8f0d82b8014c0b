#!/usr/bin/env bash
set -euo pipefail
printf 'def job():\n    print("a")\n   print("b")\njob()\n' > job.py
sha256sum job.py > ../sums
