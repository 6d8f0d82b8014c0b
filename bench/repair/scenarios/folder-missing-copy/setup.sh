#!/usr/bin/env bash
set -eu
mkdir assets && echo '<svg/>' > assets/logo.svg && echo 'a{}' > assets/app.css
