#!/usr/bin/env bash
set -euo pipefail
[ "$(cat catalogue.txt)" = books ]
