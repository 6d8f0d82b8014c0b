#!/usr/bin/env bash
set -euo pipefail
[ "$(cat chart.txt)" = '###' ]
