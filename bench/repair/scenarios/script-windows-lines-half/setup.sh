#!/usr/bin/env bash
set -eu
printf '#!/bin/bash\r\necho one > one.txt\r\n' > setup-it.sh
