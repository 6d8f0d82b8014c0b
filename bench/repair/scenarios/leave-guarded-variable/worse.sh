#!/usr/bin/env bash
set -euo pipefail
[ -e v1/a ] && [ -e v2/a ]
