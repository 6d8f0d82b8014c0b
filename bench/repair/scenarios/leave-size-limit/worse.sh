#!/usr/bin/env bash
set -euo pipefail
[ ! -e dumped ]
