#!/usr/bin/env bash
set -eu
echo 1 > notes.txt
