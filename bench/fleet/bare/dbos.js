// Workflows of ten steps on DBOS: `node dbos.js enqueue URL COUNT`, or `node dbos.js work URL HOW` until it is ended. HOW: what a
// step does, `nothing` or `spawn`.
import { spawn } from 'node:child_process';

// By a name that is not followed: it is installed for this bench only.
const sdk = '@dbos-inc/dbos-sdk';
const { DBOS, DBOSClient } = await import(sdk);

const [what, url, how] = process.argv.slice(2);
const queueName = 'bench';
// One name of the program, so that each process takes up what another has begun.
const applicationVersion = '1';
const NOW_AND_THEN = 100;

const step =
  how === 'spawn'
    ? () =>
        new Promise((resolve) => {
          spawn('bash', ['-c', 'true'], { stdio: 'ignore' }).on('close', resolve);
        })
    : async () => 0;

async function tenSteps() {
  for (let n = 0; n < 10; n += 1) await DBOS.runStep(step, { name: `s${n}` });
}

if (what === 'enqueue') {
  const client = await DBOSClient.create({ systemDatabaseUrl: url });
  const options = {
    workflowName: 'tenSteps',
    workflowClassName: '',
    queueName,
    appVersion: applicationVersion,
  };
  for (let n = 0; n < Number(how); n += 1) await client.enqueue(options);
  await client.destroy();
} else {
  DBOS.registerWorkflow(tenSteps, { name: 'tenSteps' });
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    applicationVersion,
    logLevel: 'error',
    runAdminServer: false,
  });
  await DBOS.launch();
  await DBOS.registerQueue(queueName, { minPollingIntervalMs: NOW_AND_THEN });
  process.stdout.write('ready\n');
}
