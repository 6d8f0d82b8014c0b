#!/usr/bin/env bash
set -euo pipefail
tar -tzf site.tar.gz | grep -q website/index.html
