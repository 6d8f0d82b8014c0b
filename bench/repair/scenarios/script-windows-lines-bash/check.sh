#!/usr/bin/env bash
set -euo pipefail
[ "$(cat logs/app.log.1)" = x ]
