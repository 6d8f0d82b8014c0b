#!/usr/bin/env bash
set -eu
cat > waves.c <<'E'
#include <math.h>
#include <stdio.h>
int main(int c, char **v) { printf("%f\n", pow(c, 1.5) + atan2(c, 2)); return 0; }
E
printf 'LIBS =\nwaves: waves.c\n\tgcc -o waves waves.c $(LIBS)\n' > Makefile
