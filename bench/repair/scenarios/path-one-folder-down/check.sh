#!/usr/bin/env bash
set -euo pipefail
[ "$(head -n 1 metric.csv)" = 2.54 ]
