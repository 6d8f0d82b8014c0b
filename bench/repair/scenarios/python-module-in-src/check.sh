#!/usr/bin/env bash
set -euo pipefail
[ "$(cat hello.txt)" = 'hello Ada' ]
