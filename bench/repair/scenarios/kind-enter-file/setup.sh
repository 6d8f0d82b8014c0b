#!/usr/bin/env bash
set -eu
mkdir -p modules/cart && echo '{}' > modules/cart/package.json
