#!/usr/bin/env bash
set -eu
test -f pnpm-lock.yaml
