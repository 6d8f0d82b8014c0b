#!/usr/bin/env bash
set -eu
grep -q ssh-ed25519 deploy_key.pub && [ "$(stat -c %a deploy_key)" = 600 ]
