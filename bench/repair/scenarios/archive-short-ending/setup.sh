#!/usr/bin/env bash
set -eu
mkdir s; echo 1 > s/f; tar cJf sources.txz s; rm -r s
