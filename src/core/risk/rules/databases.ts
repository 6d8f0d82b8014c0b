import { operands, optionValues } from '../args.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

const sqlClients =
  'psql mysql mariadb sqlite3 sqlite sqlcmd duckdb clickhouse-client clickhouse cockroach snowsql bq sqlplus isql tsql pgcli mycli litecli usql trino presto hive beeline impala-shell cqlsh osql wrangler turso supabase athena aws'.split(
    ' ',
  );

const drops =
  /\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX|USER|ROLE|KEYSPACE|COLLECTION|TABLESPACE|SEQUENCE|FUNCTION|TRIGGER|EXTENSION|MATERIALIZED|OWNED)|TRUNCATE\b|DETACH\s+PARTITION|ALTER\s+TABLE\s+\S+\s+DROP|FLUSH\s+LOGS|PURGE\s+BINARY|RESET\s+MASTER|SHUTDOWN\b|VACUUM\s+FULL|pg_terminate_backend|xp_cmdshell|GRANT\s+ALL|REVOKE\s)/i;
const program =
  /\bCOPY\b[\s\S]{0,400}?\b(?:FROM|TO)\s+PROGRAM\b|\\!|^[^\S\n]*\.(?:shell|system)\b|\bsystem\s|load_extension|INTO\s+(?:OUTFILE|DUMPFILE)|\bwritefile\s*\(|\bCOPY\b[\s\S]{0,400}?\bTO\s+'|\bEXPORT\s+DATABASE\b|\\(?:o|g|w)\w*\s*\||^[^\S\n]*(?:\\P|pager)\s+(?!less|more|cat)\S|\b(?:lo_export|sys_exec|sys_eval|pg_execute_server_program|dblink_exec)\s*\(/im;

/** DELETE or UPDATE of every row: no WHERE before the end of the statement. */
function unbounded(sql: string): boolean {
  return sql
    .split(';')
    .some(
      (statement) =>
        /\b(?:DELETE\s+FROM|UPDATE\s+\S+\s+SET)\b/i.test(statement) &&
        !/\bWHERE\b(?!\s+(?:1\s*=\s*1|TRUE)\s*$)/i.test(statement),
    );
}

/** Text that a client would run: its options, its operands, and a literal standard input. */
function statements(command: SimpleCommand): Arg[] {
  const given = command.args.filter((arg) => /\s|^\\|^\./.test(arg.value) || /=.*\s/.test(arg.value));
  if (command.stdin.kind !== 'text') return given;
  return [
    ...given,
    { value: command.stdin.text, literal: true, glob: false, span: command.stdin.span, text: '' },
  ];
}

/** A server that is not of this machine, told to change something. */
function otherServer(command: SimpleCommand): Arg | undefined {
  const text = command.args.map((arg) => arg.value).join(' ');
  if (
    !/\b(?:h?m?set\w*|[lrs](?:push|add|rem)\w*|z\w*add|incr\w*|decr\w*|expire\w*|append|publish|insert\w*|update\w*|replace\w*|bulkWrite|create\w+|renameCollection|aggregate|restore|migrate)\b/i.test(
      text,
    )
  )
    return undefined;
  return [
    ...optionValues(command, '-h', '-u', '--host', '--uri'),
    ...command.args.filter(({ value }) => /^(?:rediss?|mongodb(?:\+srv)?):\/\//.test(value)),
  ].find(({ value }) => !/^(?:\w+(?:\+srv)?:\/\/(?:[^@/]*@)?)?(?:localhost|127\.|\[?::1)/.test(value));
}

export const databaseRules: readonly CommandRule[] = [
  {
    id: 'sql-destroys',
    level: 'dangerous',
    sentence: 'Drops, empties or overwrites tables or databases, or changes every row.',
    names: sqlClients,
    match: (command) => statements(command).find((arg) => drops.test(arg.value) || unbounded(arg.value)),
  },
  {
    id: 'sql-runs-program',
    level: 'dangerous',
    sentence: 'Makes the database client or server run a program or write a file.',
    names: sqlClients,
    match: (command) => statements(command).find((arg) => program.test(arg.value)),
  },
  {
    id: 'database-removal',
    level: 'dangerous',
    sentence: 'Removes a database, its users or its data.',
    names:
      'dropdb dropuser pg_dropcluster mysqladmin redis-cli valkey-cli keydb-cli mongosh mongo mongorestore pg_restore pg_ctl pg_resetwal influx etcdctl consul memcached-tool rails rake prisma alembic flask sequelize knex typeorm drizzle-kit python manage.py django-admin php artisan mix diesel sqlx dotnet dotnet-ef liquibase flyway goose migrate dbmate atlas sqitch hasura supabase console symfony wp sql-migrate neo4j-admin cypher-shell'.split(
        ' ',
      ),
    match(command) {
      const text =
        command.args.map((arg) => arg.value).join(' ') +
        (command.stdin.kind === 'text' ? ` ${command.stdin.text}` : '');
      switch (command.name) {
        case 'dropdb':
        case 'dropuser':
        case 'pg_dropcluster':
        case 'pg_resetwal':
          return true;
        case 'mysqladmin':
          return command.args.find((arg) => /^(?:drop|shutdown|flush-\w+|kill|password)$/.test(arg.value));
        case 'redis-cli':
        case 'valkey-cli':
        case 'keydb-cli':
          return (
            otherServer(command) ??
            command.args.find((arg) =>
              /^(?:flushall|flushdb|shutdown|del|unlink|debug|replicaof|slaveof|failover|rename|eval|bgrewriteaof)$/i.test(
                arg.value,
              ),
            ) ??
            command.args.find(
              (arg, i) =>
                /^config$/i.test(arg.value) && /^(?:set|rewrite)$/i.test(command.args[i + 1]?.value ?? ''),
            ) ??
            (command.stdin.kind === 'text' && /\b(?:FLUSHALL|FLUSHDB|SHUTDOWN)\b/i.test(text))
          );
        case 'mongosh':
        case 'mongo':
          return (
            otherServer(command) ??
            /\b(?:dropDatabase|drop|dropIndexes?|deleteMany\(\s*\{\s*\}|remove\(\s*\{?\s*\}?\s*\)|shutdownServer|dropUser|dropRole|deleteOne|deleteMany|findOneAndDelete)\b/.test(
              text,
            )
          );
        case 'mongorestore':
        case 'pg_restore':
          return command.args.find((arg) => /^(?:--drop|-c|--clean)$/.test(arg.value));
        case 'pg_ctl':
          return command.args.find((arg) => /^(?:stop|kill|promote)$/.test(arg.value));
        case 'etcdctl':
        case 'consul':
          return operands(command).find((arg) =>
            /^(?:del|delete|rm|rmdir|destroy|leave|force-leave|remove)$/.test(arg.value),
          );
        case 'liquibase':
        case 'flyway':
        case 'goose':
        case 'migrate':
        case 'dbmate':
        case 'sqitch':
        case 'sql-migrate':
          return operands(command).find((arg) =>
            /^(?:drop\w*|drop-all|clean|reset|revert|rollback\w*|rollback-.*|down|down-to|undo)$/.test(
              arg.value,
            ),
          );
        case 'influx':
          return operands(command).find((arg) => /^delete$/.test(arg.value)) ?? /DROP\s/i.test(text);
        default:
          return (
            command.args.find((arg) =>
              /^(?:db:(?:drop|reset|purge|wipe|schema:load|rollback|migrate:reset|migrate:undo:all|seed:replant)|migrate:(?:fresh|reset|refresh|rollback)|db:wipe|dropAll|drop-all|drop-database|doctrine:(?:database|schema):drop|ecto\.(?:drop|reset|rollback)|flush|reset_db|sqlflush|schema:drop|database:drop|drop)$/.test(
                arg.value,
              ),
            ) ??
            (/\b(?:ef database drop|db (?:reset|drop|clean)|schema clean|down-to 0|down -all|drop -f|migrate reset|db push --force-reset|database (?:drop|reset)|downgrade base|db downgrade|migrate:rollback --all)\b/.test(
              text,
            ) ||
              undefined)
          );
      }
    },
  },
  {
    id: 'queue-removal',
    level: 'dangerous',
    sentence: 'Deletes queues, topics or messages, or moves where consumers read.',
    names:
      'kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-acls kafka-acls.sh kafka-delete-records kafka-configs kafka-reassign-partitions rabbitmqctl rabbitmqadmin celery rpk'.split(
        ' ',
      ),
    match: (command) =>
      command.args.find(
        (arg) =>
          /^(?:--delete(?:-\w+)*|--remove|--reset-offsets|--execute|delete|delete_\w+|purge|purge_\w+|reset|force_reset|stop_app|stop|forget_cluster_node|clear_\w+|eval|close_\w+|shutdown|remove)$/.test(
            arg.value,
          ) && !(arg.value === '--execute' && optionValues(command, '--verify').length > 0),
      ) ??
      (command.name.startsWith('kafka-delete') || undefined),
  },
];
