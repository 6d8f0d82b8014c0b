#!/usr/bin/env bash
set -euo pipefail
[ "$(cat firmware/image.bin)" = code ]
