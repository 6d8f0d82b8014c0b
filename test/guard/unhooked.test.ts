import { expect, test } from 'vitest';
import { openDesk } from './desk.ts';

test('an agent that is started without its hooks is asked about, and one with them is not', async () => {
  const { call } = openDesk();
  const answers = async (lines: readonly string[]) =>
    Object.fromEntries(await Promise.all(lines.map(async (line) => [line, await call(line)])));
  const all = (lines: readonly string[], answer: string) =>
    Object.fromEntries(lines.map((line) => [line, answer]));
  const without = [
    'claude --bare -p "do it"',
    'claude -p x --settings other.json',
    'claude --setting-sources=project -p x',
    'HOME=/tmp claude -p x',
    'export HOME=/tmp; claude -p x',
    'env CLAUDE_CONFIG_DIR=/tmp/c claude -p x',
    'timeout 60 claude --bare -p x',
    "bash -c 'claude --bare -p x'",
    'codex -c hooks.PreToolUse=[] exec x',
    'codex exec -c features.hooks=false x',
    'codex exec --config=features.hooks=false x',
    'codex exec --disable hooks x',
    'codex exec --dangerously-bypass-approvals-and-sandbox x',
    'GEMINI_CLI_HOME=/tmp/g gemini -p x',
    'COPILOT_HOME=/tmp/c copilot -p x',
    'opencode run --pure x',
  ];
  expect(await answers(without)).toEqual(all(without, 'ask'));
  const fine = [
    'claude -p "what does --bare do"',
    'claude --version',
    'codex exec -c model=o3 x',
    'gemini -p x',
    'HOME=/tmp npm test',
    'opencode run x',
  ];
  expect(await answers(fine)).toEqual(all(fine, '{}'));
});
