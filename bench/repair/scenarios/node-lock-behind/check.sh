#!/usr/bin/env bash
set -euo pipefail
[ "$(node app.js)" = '3 cats' ]
