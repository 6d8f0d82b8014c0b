#!/usr/bin/env bash
set -euo pipefail
grep -q 'the release' release.txt
