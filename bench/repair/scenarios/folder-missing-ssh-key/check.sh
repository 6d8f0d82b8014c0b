#!/usr/bin/env bash
set -euo pipefail
ssh-keygen -lf deploy.pub
