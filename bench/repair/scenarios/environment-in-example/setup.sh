#!/usr/bin/env bash
set -eu
printf '# how wide the banner is\nBANNER_STYLE=compact\nBANNER_TOKEN=changeme\n' > .env.example
printf 'import os\nprint(os.environ["BANNER_STYLE"], file=open("banner.txt", "w"))\n' > banner.py
