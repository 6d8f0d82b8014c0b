#!/usr/bin/env bash
set -euo pipefail
grep -q 'visits *5' reports/2026/november.txt
