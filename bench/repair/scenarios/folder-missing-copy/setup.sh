#!/usr/bin/env bash
set -euo pipefail
mkdir assets && echo '<svg/>' > assets/logo.svg && echo 'a{}' > assets/app.css
