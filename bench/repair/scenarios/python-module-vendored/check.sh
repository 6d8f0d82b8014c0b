#!/usr/bin/env bash
set -euo pipefail
grep -q '"a", "b"' table.json
