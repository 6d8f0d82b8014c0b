#!/usr/bin/env bash
set -eu
mkdir settings && echo dark > settings/theme && tar -cf settings.tar settings && rm -r settings
