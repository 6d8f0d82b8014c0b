#!/usr/bin/env bash
set -euo pipefail
[ "$(cat 'backup/Annual Report 2025.txt')" = profits ]
