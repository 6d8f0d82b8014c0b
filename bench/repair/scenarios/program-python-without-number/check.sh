#!/usr/bin/env bash
set -euo pipefail
grep -q '<li>coffee: 4</li>' prices.html
