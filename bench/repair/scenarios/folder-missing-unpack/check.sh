#!/usr/bin/env bash
set -euo pipefail
[ "$(cat opt/app/v7/bin/run.txt)" = go ]
