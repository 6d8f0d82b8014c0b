#!/usr/bin/env bash
set -eu
echo 'int tally(void) { return 1; }' > tally.c
printf 'tally.a: obj/deep/tally.o\n\tar rcs tally.a obj/deep/tally.o\nobj/deep/tally.o: tally.c\n\tgcc -c tally.c -o obj/deep/tally.o\n' > Makefile
