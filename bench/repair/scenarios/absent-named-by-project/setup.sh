#!/usr/bin/env bash
set -eu
mkdir src; printf '[project]\nname = "x"\n[tool.pylnt]\nmax = 3\n' > pyproject.toml
