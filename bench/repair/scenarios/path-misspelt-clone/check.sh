#!/usr/bin/env bash
set -euo pipefail
[ "$(cat lib/api.txt)" = api ]
