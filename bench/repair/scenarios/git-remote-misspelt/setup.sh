#!/usr/bin/env bash
set -eu
git init -q -b main other
git -C other -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
git init -q -b main .
git remote add origin "$PWD/other"
