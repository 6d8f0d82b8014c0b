#!/usr/bin/env bash
set -eu
mkdir logs && echo x > logs/app.log
printf 'set -eu\r\ncd "$1"\r\nif [ -f app.log ]; then\r\n  mv app.log app.log.1\r\nfi\r\n' > rotate.sh
