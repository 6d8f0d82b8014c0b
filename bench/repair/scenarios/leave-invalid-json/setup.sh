#!/usr/bin/env bash
set -eu
printf '{"a": 1,\n "b": }\n' > config.json
sha256sum config.json > ../sums
