#!/usr/bin/env bash
set -euo pipefail
mkdir notes && echo a > notes/a.md
