#!/usr/bin/env bash
set -euo pipefail
cmp copy.html public/index.html
