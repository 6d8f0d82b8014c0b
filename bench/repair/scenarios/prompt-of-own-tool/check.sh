#!/usr/bin/env bash
set -euo pipefail
[ "$(cat loaded.txt)" = 2 ]
