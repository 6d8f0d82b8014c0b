#!/usr/bin/env bash
set -euo pipefail
[ "$(cat frontend/bundle.js | wc -l)" = 2 ]
