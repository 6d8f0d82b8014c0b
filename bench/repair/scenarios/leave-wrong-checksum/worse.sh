#!/usr/bin/env bash
set -euo pipefail
sha256sum -c --quiet ../sums && [ ! -e bin-tool ]
