#!/usr/bin/env bash
set -euo pipefail
tar -xzOf release/handbook.tgz build/handbook.md | grep -q '^2: # Two'
