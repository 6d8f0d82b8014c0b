#!/usr/bin/env bash
set -euo pipefail
diff -r conf conf.bak
