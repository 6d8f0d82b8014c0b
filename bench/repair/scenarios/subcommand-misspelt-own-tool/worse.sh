#!/usr/bin/env bash
set -euo pipefail
[ "$(cat version)" -ge 1 ]
