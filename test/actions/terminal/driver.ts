import { perform, stepOf, testPerformer } from '../../../src/world/actions/testing.ts';

/** Performs one interactive command at the terminal that it is started at, and shows what came of it. */
const [command = '', workspace = '/'] = process.argv.slice(2);
const shown: string[] = [];
process.on('SIGINT', () => console.log('THE DRIVER WAS INTERRUPTED'));
const terminal = {
  take: async () => void shown.push('taken'),
  give: () => void shown.push('given'),
};
const result = await perform({
  performer: testPerformer({ terminal, baseEnv: process.env }),
  step: stepOf(command, { interactive: true }),
  workspace,
  signal: AbortSignal.timeout(60_000),
});
const { exitCode, signal, session, why, stdoutTail } = result;
console.log(`\nRESULT ${JSON.stringify({ exitCode, signal, why, stdoutTail, cwd: session?.cwd, shown })}`);
process.exit();
