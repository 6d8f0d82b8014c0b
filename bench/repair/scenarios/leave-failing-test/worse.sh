#!/usr/bin/env bash
set -eu
sha256sum -c --quiet ../sums && [ ! -e released.txt ]
