#!/usr/bin/env bash
set -eu
echo 'the final text' > 'draft(2).md'
echo 'the first text' > draft.md
