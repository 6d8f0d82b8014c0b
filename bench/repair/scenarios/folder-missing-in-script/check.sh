#!/usr/bin/env bash
set -euo pipefail
grep -q 'value 7' metrics/today.txt
