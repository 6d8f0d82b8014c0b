#!/usr/bin/env bash
set -euo pipefail
echo notes > notes.txt
