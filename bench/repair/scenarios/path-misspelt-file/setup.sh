#!/usr/bin/env bash
set -eu
mkdir config && printf '[app]\ndebug = on\n' > config/application.ini
