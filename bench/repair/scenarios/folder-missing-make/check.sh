#!/usr/bin/env bash
set -euo pipefail
[ "$(cat build/manual/index.txt)" = chapter ]
