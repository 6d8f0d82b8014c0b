#!/usr/bin/env bash
set -euo pipefail
mkdir -p conf/sites && echo a > conf/sites/a && echo m > conf/main
