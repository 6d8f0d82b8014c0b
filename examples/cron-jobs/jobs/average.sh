#!/bin/sh
awk '{ sum += $2 } END { printf "average %.2f of %d\n", sum / NR, NR }'
