#!/usr/bin/env bash
set -euo pipefail
echo 'service oldname' > unit.txt
