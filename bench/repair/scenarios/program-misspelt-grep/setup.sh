#!/usr/bin/env bash
set -eu
mkdir logs
printf 'INFO up\nERROR disk full\nINFO down\n' > logs/api.log
printf 'ERROR queue stuck\nERROR queue gone\n' > logs/worker.log
