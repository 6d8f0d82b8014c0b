#!/usr/bin/env bash
set -euo pipefail
echo j > jan.log && echo f > feb.log
