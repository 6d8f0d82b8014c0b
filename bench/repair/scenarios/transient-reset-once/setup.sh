#!/usr/bin/env bash
set -eu
cat > fetch-rates.sh <<'SH'
#!/bin/bash
if [ ! -f .tried ]; then touch .tried; echo 'curl: (56) Recv failure: Connection reset by peer' >&2; exit 56; fi
echo 'EUR 1.08'
SH
chmod +x fetch-rates.sh
