#!/usr/bin/env bash
set -eu
printf 'release: notes.txt\n\tcp notes.txt release.txt\nclean:\n\trm -f release.txt\n' > Makefile
echo 'the release' > notes.txt
