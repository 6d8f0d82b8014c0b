#!/usr/bin/env bash
set -euo pipefail
grep -q '"Ada"' people.json
