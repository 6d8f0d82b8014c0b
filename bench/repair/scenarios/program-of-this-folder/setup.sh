#!/usr/bin/env bash
set -eu
echo 'version = none' > app.cfg
printf '#!/bin/sh\nsed -i "s/none/$(cat "$1")/" app.cfg\n' > stamp-version.sh
chmod +x stamp-version.sh
