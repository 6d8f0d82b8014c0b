#!/usr/bin/env bash
set -eu
mkdir steps
printf '#!/bin/bash\nset -e\necho building\n./steps/generate.sh\n' > build-all.sh
printf '#!/bin/sh\necho generated > out.txt\n' > steps/generate.sh
chmod +x build-all.sh
