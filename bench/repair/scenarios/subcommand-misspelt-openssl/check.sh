#!/usr/bin/env bash
set -eu
openssl dgst -sha256 -r release.tar | cmp - release.sum
