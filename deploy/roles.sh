#!/bin/sh
# Run once, by PostgreSQL's own image, when the database is made: the roles that `planwright fleet setup` then limits.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set server="$SERVER_PASSWORD" --set worker="$WORKER_PASSWORD" <<'SQL'
CREATE ROLE planwright_server LOGIN PASSWORD :'server';
CREATE ROLE planwright_worker LOGIN PASSWORD :'worker';
SQL
