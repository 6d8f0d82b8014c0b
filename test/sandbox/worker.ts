import type { SandboxPolicy } from '../../src/world/process/index.ts';
import { runScript } from '../../src/world/process/testing.ts';

/** Runs a script in a sandbox, as whoever started it. Usage: worker.ts POLICY SCRIPT. Prints how it came out. */
const sandbox = JSON.parse(process.argv[2]!) as SandboxPolicy;
const ran = await runScript(process.argv[3]!, { sandbox, session: { cwd: sandbox.workspace, env: {} } });
process.stdout.write(JSON.stringify(ran));
