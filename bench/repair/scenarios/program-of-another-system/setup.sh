#!/usr/bin/env bash
set -euo pipefail
echo 'All rights, YEAR' > footer.txt
