#!/usr/bin/env bash
set -euo pipefail
grep -q new fetched.html
