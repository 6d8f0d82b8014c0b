#!/usr/bin/env bash
set -euo pipefail
[ "$(cat new.txt)" = new ] && grep -q eight a.txt && grep -q one a.txt
