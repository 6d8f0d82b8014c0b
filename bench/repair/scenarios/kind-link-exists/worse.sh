#!/usr/bin/env bash
set -euo pipefail
[ "$(cat settings/staging.ini)" = loud ]
