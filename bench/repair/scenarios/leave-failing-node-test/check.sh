#!/usr/bin/env bash
set -euo pipefail
sha256sum -c --quiet ../sums && [ ! -e half-1.0.0.tgz ]
