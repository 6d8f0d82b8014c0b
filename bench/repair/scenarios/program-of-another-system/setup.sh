#!/usr/bin/env bash
set -eu
echo 'All rights, YEAR' > footer.txt
