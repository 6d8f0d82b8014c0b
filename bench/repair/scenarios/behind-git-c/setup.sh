#!/usr/bin/env bash
set -eu
git init -q -b main repo; cd repo; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one; git branch feature
