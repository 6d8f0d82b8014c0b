#!/usr/bin/env bash
set -euo pipefail
[ "$(cat banner.txt)" = compact ]
