#!/usr/bin/env bash
set -eu
ssh-keygen -lf deploy.pub
