#!/usr/bin/env bash
set -euo pipefail
[ -f archive/jan.log ] || [ -f jan.log ]
[ -f archive/feb.log ] || [ -f feb.log ]
