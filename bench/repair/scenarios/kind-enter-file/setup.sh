#!/usr/bin/env bash
set -euo pipefail
mkdir -p modules/cart && echo '{}' > modules/cart/package.json
