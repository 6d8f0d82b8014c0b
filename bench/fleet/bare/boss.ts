// Jobs of pg-boss that do nothing: `node boss.ts URL` until it is ended.
import { PgBoss } from 'pg-boss';

const boss = new PgBoss({
  connectionString: process.argv[2]!,
  schema: 'bare',
  useListenNotify: true,
  schedule: false,
});
boss.on('error', () => {});
await boss.start();
if ((await boss.getQueue('jobs')) === null) await boss.createQueue('jobs', { notify: true });
// Told by a notification alone a worker takes up one, and looks for the next when it polls.
const often = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, batchSize: 25 };
await boss.work('jobs', { ...often, localConcurrency: 8 }, async () => {});
process.stdout.write('ready\n');
