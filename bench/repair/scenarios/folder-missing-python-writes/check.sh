#!/usr/bin/env bash
set -euo pipefail
grep -q 15 out/stats/summary.json
