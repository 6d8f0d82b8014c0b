#!/usr/bin/env bash
set -euo pipefail
openssl rsa -in certs/test/server.key -check -noout
