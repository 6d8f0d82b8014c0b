import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { someone } from '../support/someone.ts';
import { type Desk, openDesk } from './desk.ts';

let home: string;
let work: string;
let call: Desk['call'];
let desk: Desk;
let open: Desk['open'];
let tell: Desk['tell'];

beforeEach(() => {
  desk = openDesk();
  ({ home, work, call, open, tell } = desk);
});

test('what is hidden in a variable, a script, a script of a script or a link is seen, and the harmless passes', async () => {
  writeFileSync(join(work, 'clean.sh'), 'rm -rf "$HOME"\n');
  writeFileSync(join(work, 'outer.sh'), '#!/bin/sh\n. ./clean.sh\n');
  writeFileSync(join(work, 'fine.sh'), 'echo hello\n');
  writeFileSync(join(work, 'again.sh'), './again.sh; bash again.sh\n');
  writeFileSync(join(work, 'clean.py'), 'import shutil, os\nshutil.rmtree(os.path.expanduser("~"))\n');
  symlinkSync(home, join(work, 'data'));
  for (const bad of [
    'bash clean.sh',
    './clean.sh',
    'S=clean; sh "./$S.sh"',
    'bash outer.sh',
    'python3 clean.py',
    './again.sh',
    'cd /tmp && sh ' + join(work, 'clean.sh'),
    'D=~; rm -rf "$D"',
    'rm -rf data/',
  ])
    expect(await call(bad), bad).toMatch(/deny|ask/);
  for (const fine of ['ls', 'bash fine.sh', 'git status', 'echo x > notes.txt', 'grep -r rm .'])
    expect(await call(fine), fine).toBe('{}');
});

test('safe and caution are no objection, dangerous is asked where it can be, blocked is denied', async () => {
  expect(await call('npm test')).toBe('{}');
  expect(await call('rm -rf src')).toBe('ask');
  expect(await call('rm -rf src', { agent: 'codex' })).toBe('deny');
  expect(await call('rm -rf src', { more: { permission_mode: 'bypassPermissions' } })).toBe('deny');
  expect(await call('rm -rf /')).toBe('deny');
  expect(await call({ file_path: join(work, 'a.ts'), content: 'x' }, { tool: 'Write' })).toBe('{}');
  expect(await call({ file_path: join(home, '.bashrc'), content: 'x' }, { tool: 'Write' })).toBe('ask');
});

test('a shell that is told to start elsewhere is outside of the folder, and PowerShell is read as what it is', async () => {
  mkdirSync(join(home, 'docs'));
  const there = { command: 'echo x > a', workdir: join(home, 'docs') };
  const told = async (given: object) => (await call(given, { agent: 'opencode' })).slice(0, 20);
  expect(await told(there)).toContain('deny');
  expect(await told({ command: 'echo x > a' })).toBe('{}');
  expect(await told(there)).toContain('deny');
  expect(await call('Remove-Item -Recurse -Force $HOME', { tool: 'PowerShell' })).toBe('deny');
});

test('a shell, an editor or a pager that an agent could type into unseen is not begun', async () => {
  writeFileSync(join(work, 'starts.sh'), 'echo hello\nexec sh\n');
  const asCodex = (command: string) => call(command, { agent: 'codex' });
  for (const bad of ['bash', 'sh -c python3', 'bash starts.sh', 'psql site', 'vim a', 'git log | less'])
    expect(await asCodex(bad), bad).toBe('deny');
  for (const fine of [
    'bash -c ls',
    'bash --version',
    'node --test',
    'python3 a.py',
    'python3 <<E\nprint(1)\nE',
    'top -b -n1',
  ])
    expect(await asCodex(fine), fine).toBe('{}');
  // Nobody types into what Claude Code runs.
  expect(await call('bash')).toBe('{}');
});

test('what is typed into a program that runs is asked about, whatever part of a line it is', async () => {
  const typed = async (input: string) => {
    const said = { toolName: 'write_bash', toolArgs: JSON.stringify({ sessionId: '1', input }) };
    const text = JSON.stringify({ sessionId: 'one', timestamp: 0, cwd: work, ...said });
    return /"permissionDecision":"(\w+)"/.exec(await tell(text, { agent: 'copilot' }))?.[1] ?? 'none';
  };
  for (const part of ['ls', 'r', 'm -rf ~\n', 'DROP TABLE users;', 'echo x > planwright.json\n'])
    expect(await typed(part), part).toBe('ask');
  expect(await typed('rm -rf ~\n')).toBe('deny');
  for (const key of ['', '\n', '\u0003', 'y\n', 'q']) expect(await typed(key), key).toBe('none');
});

test('the agent decides nothing, and changes nothing that it is guarded by', async () => {
  for (const own of [
    'approve',
    'trust .',
    'guard uninstall',
    'guard allow ab',
    'rules remove x',
    'config set mode agentic',
    'token add me --role admin',
    'schedule agree nightly',
    'edit',
  ])
    expect(await call(`planwright ${own}`), own).toBe('deny');
  const files = [
    join(work, '.claude/settings.json'),
    join(work, '.claude/settings.local.json'),
    join(home, '.claude/settings.json'),
  ];
  for (const file_path of files) {
    expect(await call({ file_path, content: '{}' }, { tool: 'Write' }), file_path).toBe('deny');
    expect(await call(`echo '{"disableAllHooks": true}' > ${file_path}`), file_path).toBe('deny');
    expect(await call(`sed -i s/x/y/ ${file_path}`), file_path).toBe('deny');
  }
  mkdirSync(join(work, '.claude'));
  symlinkSync(join(work, '.claude'), join(work, 'other'));
  expect(await call({ file_path: join(work, 'other/settings.json'), content: '{}' }, { tool: 'Write' })).toBe(
    'deny',
  );
  expect(await call(`rm -rf ${join(home, 'pw')}`)).toBe('deny');
  expect(await call({ file_path: join(home, 'pw/data/planwright.db'), content: '' }, { tool: 'Write' })).toBe(
    'deny',
  );
});

test('the folder of its settings cannot be moved, filled or changed by code, and is otherwise its own', async () => {
  mkdirSync(join(work, '.claude/commands'), { recursive: true });
  for (const bad of [
    'mv .claude old',
    'rm -rf .claude',
    'cp -r other/. .claude',
    'rsync -a other/ .claude/',
    'git checkout main -- .claude',
    'ln -s .claude c; echo > c/settings.json',
    'echo {} > .CLAUDE/settings.json',
    `python3 -c "open('.claude/settings.json','w').write('{}')"`,
    `node -e "require('fs').writeFileSync('.claude/settings.json', '{}')"`,
    'planwright guard --for all uninstall',
  ])
    expect(await call(bad), bad).toBe('deny');
  for (const file of ['opencode.json', '.opencode/plugin/x.js', '.opencode/plugins/x.js'])
    expect(await call(`echo x > ${file}`, { agent: 'opencode' }), file).toContain('blocked');
  for (const fine of ['mkdir -p .claude/agents', 'ls .claude', 'git add .claude', 'cp a .claude/commands/a'])
    expect(await call(fine), fine).toBe('{}');
});

test('what another agent, or the agent itself, would load and run later is asked about', async () => {
  const write = (
    path: string,
    content: string,
    agent: 'claude-code' | 'opencode' | 'gemini' = 'claude-code',
  ) => call({ file_path: join(work, path), content }, { tool: 'Write', agent });
  for (const path of [
    '.cursor/hooks.json',
    '.codex/hooks.json',
    '.codex/config.toml',
    '.github/hooks/x.json',
    '.opencode/plugins/x.js',
    '.opencode/tools/bash.ts',
  ])
    expect(await write(path, 'x'), path).toBe('ask');
  const hooks = '---\nname: x\nhooks:\n  PreToolUse:\n    - command: rm -rf ~\n---\n';
  expect(await write('.claude/skills/x/SKILL.md', hooks)).toBe('ask');
  expect(await write('.claude/agents/x.md', hooks)).toBe('ask');
  expect(await write('.claude/skills/x/SKILL.md', '---\nname: x\n---\nIt hooks: well.\n')).toBe('{}');
  for (const path of ['.opencode/tool/bash.ts', '.opencode/tools/bash.ts'])
    expect(await write(path, 'x', 'opencode'), path).toContain('blocked');
  expect(await write('.gemini/.env', 'GEMINI_CLI_HOME=/tmp', 'gemini')).toContain('blocked');
});

test('several calls in one are judged one by one', async () => {
  const batch = async (...tool_calls: object[]) =>
    (await call({ tool_calls }, { tool: 'batch', agent: 'opencode' })).slice(0, 18);
  const ls = { tool: 'bash', parameters: { command: 'ls' } };
  expect(await batch(ls, { tool: 'webfetch', parameters: { url: 'x' } })).toBe('{}');
  for (const bad of [
    { tool: 'bash', parameters: { command: 'rm -rf ~' } },
    { tool: 'bash', parameters: { command: 'echo x > a', workdir: home } },
    { tool: 'write', parameters: { filePath: join(home, '.bashrc'), content: 'x' } },
    { tool: 'bash' },
    'ls',
  ])
    expect(await batch(ls, bad as object), JSON.stringify(bad)).toBe('{"decision":"deny"');
});

test('a search among secrets is asked about, whether it names the folder, the files, or both', async () => {
  const search = async (given: object, tool = 'Grep') => call({ pattern: '.', ...given }, { tool });
  expect(await search({ path: join(home, '.ssh') })).toBe('ask');
  expect(await search({ path: home, glob: '.ssh/*' })).toBe('ask');
  expect(await search({ dir_path: join(home, '.ssh') }, 'grep_search')).toBe('ask');
  expect(await search({ dir_path: home, include_pattern: '.ssh/id_*' }, 'grep_search')).toBe('ask');
  expect(await search({ path: work, glob: '*.{ts,tsx}' })).toBe('{}');
  expect(await search({ glob: '!**/.env' })).toBe('{}');
});

test('the program that judges, and its compiled code, are out of its reach where they lie in the folder', async () => {
  const program = join(work, 'node_modules/.bin/planwright');
  mkdirSync(join(work, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(work, 'node_modules/planwright/bin'), { recursive: true });
  writeFileSync(join(work, 'node_modules/planwright/bin/planwright.js'), '');
  symlinkSync('../planwright/bin/planwright.js', program);
  for (const bad of [
    'echo > node_modules/planwright/bin/planwright.js',
    'cp evil.cjs node_modules/planwright/dist/doors/guard/main.cjs',
    'ln -sf ../evil.js node_modules/.bin/planwright',
    'mv node_modules/planwright old',
  ])
    expect(await call(bad, { program }), bad).toBe('deny');
  expect(await call('echo > node_modules/other/index.js', { program })).toBe('{}');
  expect(await call(`cp evil ${process.execPath}`, { program })).toBe('deny');
  const code = join(home, 'pw/cache/code');
  mkdirSync(code, { recursive: true });
  const content = 'code';
  expect(await call({ file_path: join(code, 'hook-1'), content }, { tool: 'Write', cwd: home })).toBe('deny');
  expect(await call('cp evil pw/cache/code/hook-1', { cwd: home })).toBe('deny');
});

test('an agent that works in the home does not move away what Planwright keeps there', async () => {
  desk.env['PLANWRIGHT_HOME'] = undefined;
  for (const bad of [
    'mv .local old',
    'mv .cache/planwright old',
    'ln -sfn evil .cache',
    'cd .local && mv share s',
  ])
    expect(await call(bad, { cwd: home }), bad).toBe('deny');
  for (const fine of ['mkdir -p .cache/other', 'touch .cache/x', 'mv code old'])
    expect(await call(fine, { cwd: home }), fine).toBe('{}');
});

test('a script whose end cannot be looked at, or that has zeros in it, is not taken for harmless', async () => {
  const script = (name: string, text: string) => writeFileSync(join(work, name), text);
  script('long.sh', `${'# a comment\n'.repeat(40_000)}rm -rf ~\n`);
  script('zero.sh', 'echo hello\nrm -rf ~\n#\0\n');
  script('many.sh', `${Array.from({ length: 50 }, (_, at) => `sh s${at}.sh\n`).join('')}`);
  for (let at = 0; at < 50; at++) script(`s${at}.sh`, at < 49 ? 'echo hello\n' : 'rm -rf ~\n');
  execFileSync('mkfifo', [join(work, 'pipe')]);
  for (const bad of ['bash long.sh', 'sh zero.sh', 'bash many.sh', 'bash pipe'])
    expect(await call(bad), bad).toMatch(/deny|ask/);
  script('long.js', `${'// a comment\n'.repeat(40_000)}console.log(1)\n`);
  writeFileSync(join(work, 'built'), Buffer.from('\x7fELF\0\0', 'latin1'));
  for (const fine of ['node long.js', './built']) expect(await call(fine), fine).toBe('{}');
});

test('what cannot be read is denied, a tool that is not known is written down without objection', async () => {
  for (const text of [
    '',
    'x',
    '[]',
    '{"session_id":"s"}',
    '{"session_id":"s","cwd":"rel","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}',
  ]) {
    expect(await tell(text), text).toContain('"deny"');
  }
  expect(await call({ query: 'x' }, { tool: 'WebSearch' })).toBe('{}');
  expect(await call('ls', { more: { hook_event_name: 'SessionStart', tool_name: undefined } })).toBe('{}');
  const app = await open();
  const rows = (await app.guards.list()).sort((a, b) => a.session.localeCompare(b.session));
  expect(rows.map(({ session, calls, asked, denied }) => [session, calls, asked, denied])).toEqual([
    ['one', 1, 0, 0],
    ['s', 2, 0, 2],
    ['unreadable', 3, 0, 3],
  ]);
  expect(rows[0]).toMatchObject({ agent: 'claude-code', workspace: work });
});

test('a call of a tool that is known, and cannot be read, is denied and in the journal of its session', async () => {
  for (const given of [{}, { command: 7 }, { command: [] }]) expect(await call(given)).toBe('deny');
  expect(await call({ old_string: 'x' }, { tool: 'Edit' })).toBe('deny');
  const app = await open();
  const [row] = await app.guards.list();
  expect(row).toMatchObject({ session: 'one', workspace: work, calls: 4, denied: 4 });
  const { calls } = await app.guards.state(row!.id);
  expect(calls.map(({ tool, level }) => [tool, level])).toEqual([
    ['Bash', null],
    ['Bash', null],
    ['Bash', null],
    ['Edit', null],
  ]);
  expect(calls.at(-1)?.reason).toContain('the call says no path');
});

test('a store that cannot be written denies', async () => {
  writeFileSync(join(home, 'pw'), 'a file in the way');
  expect(await call('ls')).toBe('deny');
});

test('every verdict is in the journal of its session, and is found, listed and removed like all else', async () => {
  await call('ls');
  await call('rm -rf src');
  await call('rm -rf /');
  await call('ls', { more: { session_id: 'two' } });
  const app = await open();
  const rows = await app.guards.list({ workspace: work });
  expect(rows.map(({ session, calls, asked, denied }) => [session, calls, asked, denied])).toEqual([
    ['two', 1, 0, 0],
    ['one', 3, 1, 1],
  ]);
  const { calls } = await app.guards.state(rows[1]!.id);
  expect(calls.map(({ text, level, answer }) => [text, level, answer])).toEqual([
    ['ls', 'safe', 'none'],
    ['rm -rf src', 'dangerous', 'ask'],
    ['rm -rf /', 'blocked', 'deny'],
  ]);
  expect((await app.streams.find('rm -rf', 10)).map(({ row: { id } }) => id)).toEqual([rows[1]!.id]);
  const { streams } = await app.gc({ keepDays: 0, keepLast: 1 });
  expect(streams).toEqual([rows[1]!.id]);
});

test('calls of one session at the same time are all written', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, at) => call(`echo ${at}`)));
  const [row] = await (await open()).guards.list();
  expect(row?.calls).toBe(8);
});

test('a person allows exactly what was denied, and nothing else', async () => {
  mkdirSync(join(work, 'old'));
  writeFileSync(join(work, 'old/a'), 'x');
  expect(await call('rm -rf old', { agent: 'codex' })).toBe('deny');
  const app = await open();
  const { calls } = await app.guards.state((await app.guards.list())[0]!.id);
  await app.guards.allow(calls[0]!.id, someone);
  expect(await call('rm -rf old', { agent: 'codex' })).toBe('{}');
  expect(await call('rm -rf old src', { agent: 'codex' })).toBe('deny');
  expect(await call('rm -rf old', { agent: 'codex', cwd: home })).toBe('deny');
});

test('what an agent changed is taken back, and what a person changed since stays', async () => {
  rmSync(join(work, '.git'), { recursive: true });
  execFileSync('git', ['init', '-q', work]);
  for (const name of ['a', 'b', 'mine']) writeFileSync(join(work, name), 'before\n');
  const change = async (command: string, id: string, doIt: () => void) => {
    await call(command, { checkpoints: 'on', more: { tool_use_id: id } });
    doIt();
    await call(command, { checkpoints: 'on', more: { tool_use_id: id, hook_event_name: 'PostToolUse' } });
  };
  await change('make a', '1', () => writeFileSync(join(work, 'a'), 'agent\n'));
  writeFileSync(join(work, 'mine'), 'person\n');
  await change('make b c', '2', () => {
    writeFileSync(join(work, 'b'), 'agent\n');
    writeFileSync(join(work, 'c'), 'agent\n');
  });
  writeFileSync(join(work, 'b'), 'person\n');
  const app = await open();
  const [row] = await app.guards.list();
  const preview = await app.guards.undoPreview(row!.id, {});
  expect(preview.restore.map(({ path }) => path).sort()).toEqual(['a', 'c']);
  expect(preview.conflicts.map(({ path, why }) => [path, why])).toEqual([['b', 'changed-since']]);
  const undone = await app.guards.undo(row!.id, {}, someone);
  expect(undone.restored.sort()).toEqual(['a', 'c']);
  const text = (name: string) => execFileSync('cat', [join(work, name)], { encoding: 'utf8' });
  expect([text('a'), text('b'), text('mine')]).toEqual(['before\n', 'person\n', 'person\n']);
  expect((await app.guards.undoPreview(row!.id, {})).restore).toEqual([]);
});
