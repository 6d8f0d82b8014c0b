#!/usr/bin/env bash
set -euo pipefail
[ "$(cat service.conf)" = 'queue queue-7' ]
