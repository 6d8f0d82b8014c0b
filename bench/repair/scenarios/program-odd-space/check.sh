#!/usr/bin/env bash
set -euo pipefail
[ "$(cat first.txt)" = z ]
