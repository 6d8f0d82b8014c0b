#!/usr/bin/env bash
set -euo pipefail
grep -q mine fetched.html
