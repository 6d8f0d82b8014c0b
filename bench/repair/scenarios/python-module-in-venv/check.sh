#!/usr/bin/env bash
set -euo pipefail
[ "$(cat calendar.txt)" = monday ]
