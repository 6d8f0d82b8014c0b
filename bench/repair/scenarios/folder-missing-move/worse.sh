#!/usr/bin/env bash
set -eu
[ -f archive/jan.log ] || [ -f jan.log ]
[ -f archive/feb.log ] || [ -f feb.log ]
