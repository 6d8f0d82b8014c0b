#!/usr/bin/env bash
set -eu
mkdir more && echo 1 > soup.md && echo 2 > cake.md && echo 3 > more/bread.md
