#!/usr/bin/env bash
set -euo pipefail
echo a > original.txt && echo b > restored.txt
