import { type SandboxPolicy, startCommand } from '../../src/world/process/index.ts';
import { testEnvironment } from '../../src/world/process/testing.ts';

/**
 * A driver to be killed: it starts a command in a sandbox that leaves a process outside its group, without its
 * marker, which goes on writing. Usage: driver.ts POLICY. Prints the process group.
 */
const sandbox = JSON.parse(process.argv[2]!) as SandboxPolicy;
const marker = { run: `sandbox-driver-${process.pid}`, step: 's', epoch: 1 };
const started = await startCommand({
  script: `env -i setsid sh -c 'while :; do echo >> ${sandbox.workspace}/beat; sleep 0.01; done' & trap "" TERM; while :; do sleep 1; done`,
  shell: 'bash',
  baseEnv: testEnvironment,
  session: { cwd: sandbox.workspace, env: {} },
  marker,
  onOutput: () => {},
  sandbox,
});
if (!started.ok) throw new Error(started.message);
process.stdout.write(`${JSON.stringify({ group: started.command.group, run: marker.run })}\n`);
started.command.open();
await started.command.done;
