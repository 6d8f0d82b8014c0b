#!/usr/bin/env bash
set -euo pipefail
[ "$(cat releases/4/name)" = four ] && [ ! -e releases/4/5 ]
