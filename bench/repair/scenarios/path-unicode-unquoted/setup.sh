#!/usr/bin/env bash
set -eu
printf 'chère Zoé, merci\n' > 'lettre à Zoé.txt'
