#!/usr/bin/env bash
set -euo pipefail
[ "$(cat version)" = 2 ]
