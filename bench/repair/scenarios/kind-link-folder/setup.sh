#!/usr/bin/env bash
set -euo pipefail
mkdir -p versions/v9 && echo nine > versions/v9/name
