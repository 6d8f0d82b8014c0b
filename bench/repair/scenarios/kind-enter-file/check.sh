#!/usr/bin/env bash
set -eu
[ -f modules/cart/where.txt ]
