#!/usr/bin/env bash
set -eu
grep -q 'the final text' public/article.md
