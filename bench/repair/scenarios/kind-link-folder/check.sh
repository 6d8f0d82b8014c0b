#!/usr/bin/env bash
set -euo pipefail
[ "$(cat live/name)" = nine ]
