#!/usr/bin/env bash
set -euo pipefail
printf 'all:\n    echo hi\n' > Makefile
sha256sum Makefile > ../sums
