#!/usr/bin/env bash
set -eu
git init -q --bare -b main ../origin.git
mkdir project && echo 'weeks of work' > project/draft.txt
