#!/usr/bin/env bash
set -euo pipefail
grep -q EUR rates.txt
