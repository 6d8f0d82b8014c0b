#!/usr/bin/env bash
set -euo pipefail
[ -f services/billing/src/main.txt ]
