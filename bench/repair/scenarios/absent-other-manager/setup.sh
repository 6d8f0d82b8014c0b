#!/usr/bin/env bash
set -eu
printf '{"name":"x","version":"1.0.0"}' > package.json; echo 'lockfileVersion: 9' > pnpm-lock.yaml
