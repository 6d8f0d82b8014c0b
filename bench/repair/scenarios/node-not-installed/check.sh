#!/usr/bin/env bash
set -euo pipefail
[ "$(cat report.txt)" = TOTAL ]
