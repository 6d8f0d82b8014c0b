#!/usr/bin/env bash
set -euo pipefail
[ "$(cat dist-final/app.txt)" = app ]
