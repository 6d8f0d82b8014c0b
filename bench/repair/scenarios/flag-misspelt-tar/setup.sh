#!/usr/bin/env bash
set -eu
mkdir goods && echo 12 > goods/count.txt
tar -cf delivery.tar goods
rm -r goods
