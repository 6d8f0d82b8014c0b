#!/usr/bin/env bash
set -eu
git init -q --bare -b main remote.git
git init -qb main . && echo remote.git >> .git/info/exclude && git config user.name Ada && git config user.email ada@example.org
git commit -q --allow-empty -m first && git remote add origin ./remote.git && git push -q origin main
printf '#!/bin/sh\necho "main is protected: open a pull request" >&2\nexit 1\n' > remote.git/hooks/pre-receive && chmod +x remote.git/hooks/pre-receive
