#!/usr/bin/env bash
set -eu
printf '#!/bin/sh\nset -o pipefail\nlist=(a b)\necho "${#list[@]}" > counted\n' > check-it.sh
chmod +x check-it.sh
