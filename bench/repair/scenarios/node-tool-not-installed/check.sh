#!/usr/bin/env bash
set -euo pipefail
[ "$(cat style.txt)" = clean ]
