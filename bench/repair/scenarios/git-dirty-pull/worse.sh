#!/usr/bin/env bash
set -euo pipefail
grep -q eight a.txt
