#!/usr/bin/env bash
set -euo pipefail
[ "$(cat srv/www/current/VERSION)" = 2 ]
