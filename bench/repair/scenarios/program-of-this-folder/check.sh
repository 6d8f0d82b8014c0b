#!/usr/bin/env bash
set -euo pipefail
[ "$(cat app.cfg)" = 'version = 2.4.0' ]
