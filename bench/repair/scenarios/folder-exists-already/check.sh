#!/usr/bin/env bash
set -euo pipefail
[ "$(cat cache/state)" = warm ]
