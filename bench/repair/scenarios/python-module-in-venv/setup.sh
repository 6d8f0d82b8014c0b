#!/usr/bin/env bash
set -eu
python3 -m venv --without-pip .venv
site=$(echo .venv/lib/python*/site-packages) && mkdir "$site/weekdays" && echo 'first = "monday"' > "$site/weekdays/__init__.py"
printf 'import weekdays\nprint(weekdays.first)\n' > show.py
