#!/usr/bin/env bash
set -euo pipefail
[ -z "$(git tag)" ] && git log --format=%s redesign | grep -q two
