#!/usr/bin/env bash
set -euo pipefail
mkdir website && echo hi > website/index.html
