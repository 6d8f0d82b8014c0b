#!/usr/bin/env bash
set -euo pipefail
echo app > app.txt
