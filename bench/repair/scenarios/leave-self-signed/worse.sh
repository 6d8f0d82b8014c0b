#!/usr/bin/env bash
set -euo pipefail
[ ! -s page.txt ]
