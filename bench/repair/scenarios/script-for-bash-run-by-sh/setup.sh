#!/usr/bin/env bash
set -eu
printf '#!/bin/bash\nset -e\nhosts=(web-1 web-2)\nfor host in "${hosts[@]}"; do\n  if [[ $host == web-* ]]; then echo "$host"; fi\ndone\n' > hosts.sh
