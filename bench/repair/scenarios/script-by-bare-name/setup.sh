#!/usr/bin/env bash
set -eu
printf 'open("tidy", "w").close()\n' > tidy_names.py
