#!/usr/bin/env bash
set -euo pipefail
[ -f modules/cart/where.txt ]
