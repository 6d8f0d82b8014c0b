#!/usr/bin/env bash
set -euo pipefail
[ "$(cat active.ini)" = quiet ]
