#!/usr/bin/env bash
set -euo pipefail
seq 1 9 > log.txt
