#!/usr/bin/env bash
set -euo pipefail
printf '{"a": 1,\n "b": }\n' > config.json
sha256sum config.json > ../sums
