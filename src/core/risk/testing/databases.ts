import type { Examples } from './examples.ts';

export const databaseExamples: Examples = {
  'sql-destroys': {
    hits: [
      "psql -c 'DROP TABLE users'",
      "mysql -e 'TRUNCATE users'",
      "sqlite3 a.db 'DELETE FROM users'",
      "echo 'DROP DATABASE x;' | psql",
      "psql -c 'UPDATE users SET admin = true'",
      "docker exec db psql -c 'DROP TABLE a'",
    ],
    misses: [
      "psql -c 'SELECT 1'",
      "sqlite3 a.db 'DELETE FROM users WHERE id = 1'",
      "mysql -e 'SHOW TABLES'",
      "echo 'DROP TABLE x'",
    ],
  },
  'sql-runs-program': {
    hits: [
      "psql -c '\\! rm x'",
      "sqlite3 a.db '.shell ls'",
      'psql -c "COPY t TO PROGRAM \'cat\'"',
      "mysql -e 'system ls'",
    ],
    misses: ["psql -c 'SELECT 1'", "sqlite3 a.db '.tables'", "psql -c '\\d'"],
  },
  'database-removal': {
    hits: [
      'dropdb x',
      'mysqladmin drop x',
      'redis-cli FLUSHALL',
      "mongosh --eval 'db.dropDatabase()'",
      'etcdctl del --prefix /',
      'rails db:drop',
      'prisma migrate reset',
      'redis-cli -n 1 flushdb',
    ],
    misses: [
      'redis-cli GET x',
      "mongosh --eval 'db.stats()'",
      'etcdctl get x',
      'rails server',
      'redis-cli SET k v',
    ],
  },
  'queue-removal': {
    hits: [
      'kafka-topics --delete --topic x',
      'rabbitmqctl delete_queue x',
      'kafka-consumer-groups --reset-offsets --execute',
      'rabbitmqadmin delete queue name=x',
      'celery purge',
    ],
    misses: ['kafka-topics --list', 'rabbitmqctl list_queues', 'kafka-consumer-groups --describe --group x'],
  },
};
