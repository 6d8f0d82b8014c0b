#!/usr/bin/env bash
set -euo pipefail
[ "$(cat summary.txt)" = 4 ]
