#!/usr/bin/env bash
set -euo pipefail
[ -f state/markers/deployed ] && [ -f state/markers/note ]
