#!/usr/bin/env bash
set -eu
mkdir src && echo 10 > src/limit.txt
printf -- '--- a/src/limit.txt\n+++ b/src/limit.txt\n@@ -1 +1 @@\n-10\n+20\n' > vendor.diff
