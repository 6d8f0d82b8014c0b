#!/usr/bin/env bash
set -eu
sha256sum -c --quiet ../sums && [ ! -e half-1.0.0.tgz ]
