#!/usr/bin/env bash
set -euo pipefail
[ "$(cat fonts/serif.txt)" = serif ]
