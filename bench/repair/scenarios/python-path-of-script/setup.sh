#!/usr/bin/env bash
set -eu
mkdir jobs ledger
echo 'TOTAL = 4' > ledger/__init__.py
printf 'from ledger import TOTAL\nopen("report.txt", "w").write(str(TOTAL))\n' > jobs/report.py
