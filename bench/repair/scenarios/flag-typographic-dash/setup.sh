#!/usr/bin/env bash
set -eu
seq 1 9 > log.txt
