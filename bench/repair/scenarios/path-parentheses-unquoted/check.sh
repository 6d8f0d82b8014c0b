#!/usr/bin/env bash
set -euo pipefail
grep -q 'the final text' public/article.md
