#!/usr/bin/env bash
set -euo pipefail
[ "$(python3 count.py)" = 1 ]
