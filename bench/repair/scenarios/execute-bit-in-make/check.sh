#!/usr/bin/env bash
set -euo pipefail
[ "$(ls icons | wc -l)" = 3 ]
