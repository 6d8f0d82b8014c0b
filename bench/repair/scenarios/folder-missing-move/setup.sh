#!/usr/bin/env bash
set -eu
echo j > jan.log && echo f > feb.log
