#!/usr/bin/env bash
set -euo pipefail
printf 'chère Zoé, merci\n' > 'lettre à Zoé.txt'
