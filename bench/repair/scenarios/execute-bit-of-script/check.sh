#!/usr/bin/env bash
set -euo pipefail
[ "$(cat precheck.out)" = fine ] && [ "$(cat status)" = checked ]
