#!/usr/bin/env bash
set -eu
mkdir settings && echo loud > settings/staging.ini && echo quiet > settings/production.ini
ln -s settings/staging.ini active.ini
