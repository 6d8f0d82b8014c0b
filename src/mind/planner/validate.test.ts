import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Shell } from '../../core/contract/index.ts';
import { assessDraft } from './assess.ts';
import { envelope, item, tagged } from './testing/outputs.ts';

const root = mkdtempSync(join(tmpdir(), 'planwright-draft-'));
const outside = mkdtempSync(join(tmpdir(), 'planwright-outside-'));
mkdirSync(join(root, 'src'));
symlinkSync(outside, join(root, 'link'));
afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
});

const facts = {
  exists: () => true,
  kind: () => 'file' as const,
  realpath: (path: string) =>
    path === '.'
      ? root
      : path.startsWith('link')
        ? join(outside, path.slice(5))
        : path.startsWith('/')
          ? path
          : join(root, path),
  commandExists: (name: string) => name !== 'frobnicate',
};

const assess = (actions: string[], shell: Shell = 'bash') =>
  assessDraft(tagged(envelope({ plan: actions.map((action, index) => item(index + 1, action)) })), {
    goal: 'test',
    shell,
    facts,
    place: { workspace: root, cwd: root },
    findSecret: (text) => {
      const start = text.indexOf('hunter2');
      return start < 0 ? null : { kind: 'password', start, end: start + 7 };
    },
  });

/** Each breaks one rule in its second step; the first is beyond reproach. */
const broken: [string, string, string, RegExp, Shell?][] = [
  ['allowed actions only', 'UNZIP a.zip', 'invalid-action', /RUN_COMMAND/],
  ['actions are single-line', 'RUN_COMMAND echo a\necho b', 'invalid-action', /\\n|run: \|/],
  ['paths stay inside: ..', 'WRITE_FILE ../a.txt "x"', 'outside-workspace', /inside the workspace/],
  ['paths stay inside: absolute', 'WRITE_FILE /etc/motd "x"', 'outside-workspace', /inside the workspace/],
  ['paths stay inside: home', 'WRITE_FILE ~/a.txt "x"', 'outside-workspace', /inside the workspace/],
  ['paths stay inside: links', 'WRITE_FILE link/a.txt "x"', 'outside-workspace', /inside the workspace/],
  ['the workspace itself is kept', 'DELETE_PATH .', 'whole-workspace', /Name what is meant/],
  ['content is real text: TODO', 'WRITE_FILE a.txt "TODO: write this"', 'placeholder-content', /real text/],
  [
    'content is real text: left out',
    'WRITE_FILE a.js "a()\\n// ... rest of the code\\n"',
    'placeholder-content',
    /real text/,
  ],
  [
    'content is real text: your token',
    'RUN_COMMAND curl -H "Authorization: <your-token>" localhost',
    'placeholder-content',
    /real|input/,
  ],
  [
    'a list exists before it is used',
    'FOR_EACH files DO RUN_COMMAND wc -l {item}',
    'unknown-key',
    /LIST_FILES/,
  ],
  [
    'no CREATE_DIR in FOR_EACH',
    'FOR_EACH sources DO CREATE_DIR out',
    'create-dir-in-for-each',
    /step of its own/,
  ],
  ['{item} belongs to loops', 'RUN_COMMAND cat {item}', 'item-outside-loop', /FOR_EACH/],
  ['{item} stands alone', 'FOR_EACH sources DO RUN_COMMAND echo "{item}"', 'placeholder-place', /quote/],
  ['loops do not nest', 'REPEAT 2 DO REPEAT 2 DO RUN_COMMAND true', 'invalid-action', /./],
  ['loops end', 'REPEAT 100000 DO RUN_COMMAND true', 'invalid-action', /REPEAT/],
  ['commands are native to bash', 'RUN_COMMAND Get-ChildItem -Recurse', 'not-native', /./],
  ['commands are native to PowerShell', 'RUN_COMMAND grep -r x .', 'not-native', /Select-String/, 'pwsh'],
  [
    'cmdlets are not invented',
    'RUN_COMMAND Get-FileContents a.txt',
    'invented-cmdlet',
    /Get-Content|cmdlet/,
    'pwsh',
  ],
  ['nothing waits for a terminal', 'RUN_COMMAND vim a.txt', 'waits-for-terminal', /^(?!.*interactive: true)/],
  [
    'no secret stands in a plan',
    'RUN_COMMAND mysql --password=hunter2 -e "select 1"',
    'secret-literal',
    /variable|input/i,
  ],
  ['a service stops after it started', 'STOP site', 'stop-before-start', /START/],
  ['what is blocked is not proposed', 'RUN_COMMAND rm -rf /', 'blocked', /without it/],
];

describe('a draft that breaks a rule is rejected with the step and the mend', () => {
  it.each(broken)('%s', async (_rule, action, code, mend, shell) => {
    const first = shell === 'pwsh' ? 'RUN_COMMAND Get-Location' : 'LIST_FILES src/* AS sources';
    const assessed = await assess([first, action], shell);
    if (assessed.is !== 'rejected') throw new Error(`it was ${assessed.is}`);
    const reason = assessed.reasons.find((each) => each.code === code);
    expect(assessed.reasons.map((each) => each.code)).toContain(code);
    expect(reason?.step).toBe(2);
    expect(reason?.message).toContain('Step 2');
    expect(reason?.hint).toMatch(mend);
  });

  it('and without the broken step it passes', async () => {
    expect((await assess(['LIST_FILES src/* AS sources'])).is).toBe('accepted');
    expect((await assess(['RUN_COMMAND Get-Location'], 'pwsh')).is).toBe('accepted');
  });

  it('a command that is not here is a warning, and every step has its risk', async () => {
    const assessed = await assess(['RUN_COMMAND frobnicate', 'RUN_COMMAND rm -r src']);
    if (assessed.is !== 'accepted') throw new Error(`it was ${assessed.is}`);
    expect(assessed.warnings).toMatchObject([{ code: 'command-not-found', step: 1 }]);
    expect(assessed.verdicts.map(({ level }) => level)).toEqual(['caution', 'dangerous']);
  });
});
