#!/usr/bin/env bash
set -euo pipefail
[ "$(cat total.txt)" = 42 ]
