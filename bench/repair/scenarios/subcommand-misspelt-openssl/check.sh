#!/usr/bin/env bash
set -euo pipefail
openssl dgst -sha256 -r release.tar | cmp - release.sum
