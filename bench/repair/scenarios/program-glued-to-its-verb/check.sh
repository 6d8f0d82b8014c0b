#!/usr/bin/env bash
set -eu
[ "$(git rev-list --count HEAD)" = 2 ]
[ -z "$(git status --porcelain)" ]
