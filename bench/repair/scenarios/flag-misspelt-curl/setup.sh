#!/usr/bin/env bash
set -eu
mkdir public && echo '<h1>hello</h1>' > public/index.html
