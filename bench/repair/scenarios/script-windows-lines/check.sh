#!/usr/bin/env bash
set -euo pipefail
[ "$(cat region.txt)" = north ]
