#!/usr/bin/env bash
set -eu
echo 'here are two words' > notes.txt
