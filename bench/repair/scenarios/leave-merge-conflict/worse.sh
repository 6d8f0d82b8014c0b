#!/usr/bin/env bash
set -eu
[ -z "$(git tag)" ] && git log --format=%s redesign | grep -q two
