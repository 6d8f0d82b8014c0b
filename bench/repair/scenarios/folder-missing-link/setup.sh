#!/usr/bin/env bash
set -euo pipefail
mkdir -p releases/v2 && echo 2 > releases/v2/VERSION
