#!/usr/bin/env bash
set -eu
printf '#!/bin/bash\r\nset -e\r\necho "$1" > region.txt\r\n' > bootstrap.sh
chmod +x bootstrap.sh
