import { MARK } from './line.ts';

/**
 * The plugin that opencode loads into its own process: it tells the guard of each call, in the words of `agents/opencode.ts`,
 * and throws where the guard objects or says nothing that can be read.
 */
export const opencodePlugin = (
  before: readonly string[],
  after: readonly string[],
): string => `// ${MARK}: written by
// planwright guard install --for opencode
// and taken away by: planwright guard uninstall --for opencode
import { spawn } from 'node:child_process';

const tell = ([program, ...words], said) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    const parts = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.on('error', reject);
    child.stdin.on('error', () => {});
    child.on('close', () => {
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString('utf8')));
      } catch {
        reject(new Error('Planwright guard: no answer, so this call is denied.'));
      }
    });
    child.stdin.end(JSON.stringify(said));
  });

export const PlanwrightGuard = async ({ directory }) => {
  const said = (name, { sessionID, callID, tool }, args) => ({
    hook_event_name: name,
    session_id: sessionID,
    tool_use_id: callID,
    cwd: directory,
    tool_name: tool,
    tool_input: args ?? {},
  });
  return {
    'tool.execute.before': async (input, output) => {
      const answer = await tell(${JSON.stringify(before)}, said('PreToolUse', input, output.args));
      if (answer === null || typeof answer !== 'object') throw new Error('Planwright guard: no answer.');
      if (answer.decision === 'deny') throw new Error(String(answer.reason));
    },
    'tool.execute.after': async (input) => {
      await tell(${JSON.stringify(after)}, said('PostToolUse', input, input.args)).catch(() => {});
    },
  };
};
`;
