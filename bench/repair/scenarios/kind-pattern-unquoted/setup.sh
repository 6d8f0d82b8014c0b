#!/usr/bin/env bash
set -euo pipefail
mkdir more && echo 1 > soup.md && echo 2 > cake.md && echo 3 > more/bread.md
