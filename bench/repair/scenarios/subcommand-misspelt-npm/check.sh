#!/usr/bin/env bash
set -euo pipefail
[ "$(cat lib/index.js)" = ok ]
