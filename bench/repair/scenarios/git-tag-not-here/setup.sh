#!/usr/bin/env bash
set -eu
git init -q -b main up; cd up; git config user.name a; git config user.email a@b; git commit -q --allow-empty -m a; git tag r3.2; git commit -q --allow-empty -m b; cd ..; git clone -q --no-tags up clone
