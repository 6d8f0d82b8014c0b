#!/usr/bin/env bash
set -euo pipefail
[ "$(head -n 1 out/names.txt)" = a ]
