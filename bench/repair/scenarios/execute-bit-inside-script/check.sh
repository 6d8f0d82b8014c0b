#!/usr/bin/env bash
set -euo pipefail
[ "$(cat out.txt)" = generated ]
