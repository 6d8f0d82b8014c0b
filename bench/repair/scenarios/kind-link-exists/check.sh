#!/usr/bin/env bash
set -euo pipefail
[ "$(cat current/name)" = five ]
