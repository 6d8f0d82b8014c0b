import { expect, test } from 'vitest';
import type { GuardedAgent } from '../../contract/guard/index.ts';
import { type HookProgram, hasGuard, withGuard, withoutGuard } from './index.ts';
import { parseJsonc, plainOf } from './jsonc.ts';

const program: HookProgram = { words: ['/opt/node', "/home/o'neil/bin/planwright.js"], checkpoints: 'auto' };

const mine = '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }';

/** Settings as people and programs leave them. */
const shapes: [agent: GuardedAgent, what: string, text: string][] = [
  ['claude-code', 'nothing but braces', '{}'],
  ['claude-code', 'braces and a line', '{\n}\n'],
  ['claude-code', 'one line', '{"model":"opus","permissions":{"allow":["Bash(ls)"]}}'],
  ['claude-code', 'as the program writes it', '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n'],
  ['claude-code', 'tabs', '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n'],
  ['claude-code', 'lines as on Windows', '{\r\n  "model": "opus"\r\n}\r\n'],
  ['claude-code', 'hooks with nothing in them', '{\n  "hooks": {}\n}\n'],
  ['claude-code', 'a list with nothing in it', '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n'],
  [
    'claude-code',
    'hooks of others',
    `{\n  "hooks": {\n    "PreToolUse": [\n      ${mine}\n    ]\n  },\n  "z": 1\n}\n`,
  ],
  ['claude-code', 'hooks of others on one line', `{"hooks": {"PreToolUse": [${mine}]}}`],
  [
    'claude-code',
    'the same name twice',
    '{\n  "hooks": { "a": [] },\n  "hooks": {\n    "Stop": []\n  }\n}\n',
  ],
  ['claude-code', 'a mark at the beginning', '\uFEFF{\n  "model": "opus"\n}\n'],
  [
    'gemini',
    'comments',
    '// mine\n{\n  /* all */ "ui": { "theme": "x" }, // end of line\n  "hooks": {\n    // none yet\n  }\n}\n',
  ],
  [
    'gemini',
    'commas at the end',
    '{\n  "hooks": {\n    "BeforeTool": [\n      { "hooks": [], },\n    ],\n  },\n}\n',
  ],
  [
    'gemini',
    'a comment behind the last',
    `{\n  "hooks": {\n    "BeforeTool": [\n      ${mine} // keep, it is mine\n    ]\n  }\n}\n`,
  ],
  ['gemini', 'text like a comment', '{\n  "url": "http://x//y", "glob": "/* , */ }"\n}'],
  [
    'cursor',
    'as it is documented',
    '{\n  "version": 1,\n  "hooks": {\n    "beforeShellExecution": [{ "command": "./a.sh" }]\n  }\n}\n',
  ],
  ['codex', 'hooks by the side', `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}\n`],
  [
    'codex',
    'config.toml',
    'model = "o3" # mine\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n',
  ],
  ['codex', 'config.toml without a last line', '[hooks]\nStop = []'],
];
const fileOf = (what: string) => (what.startsWith('config.toml') ? 'config.toml' : 'settings.json');

test.each(shapes)(
  '%s, %s: put in, put in again, and taken out, nothing else has changed',
  (agent, what, text) => {
    const file = fileOf(what);
    const put = withGuard(agent, { file, text, before: null }, program);
    if (!put.ok) throw new Error(put.problem);
    expect(hasGuard(agent, file, text)).toBe(false);
    expect(hasGuard(agent, file, put.text)).toBe(true);
    // All that was there is there in its order; only what is ours, and a comma, is new.
    expect(isWithin(text, put.text)).toBe(true);
    expect(withGuard(agent, { file, text: put.text, before: text }, program)).toEqual({
      ok: true,
      text: put.text,
    });
    const out = withoutGuard(agent, { file, text: put.text, before: text });
    expect(out.ok && meaning(file, out.text)).toEqual(meaning(file, text));
    expect(out.ok && comments(out.text)).toEqual(comments(text));
    if (file === 'config.toml') expect(out).toEqual({ ok: true, text });
    // A program that writes its settings anew in its own way leaves ours in another shape.
    if (file !== 'config.toml') {
      const anew = `${JSON.stringify(meaning(file, put.text), null, 4)}\n`;
      const outAnew = withoutGuard(agent, { file, text: anew, before: text });
      expect(outAnew.ok && meaning(file, outAnew.text)).toEqual(meaning(file, text));
    }
  },
);

test.each([
  '{',
  '{"hooks": {"PreToolUse": [}}',
  '{"a": 1 "b": 2}',
  "{'a': 1}",
  '[]',
  '{"hooks": []}',
  '{"hooks": {"PreToolUse": "x"}}',
  '{} {}',
  '{"a": "',
  'nonsense',
])('what is damaged, or means something else, is left alone: %s', (text) => {
  expect(withGuard('claude-code', { file: 's.json', text, before: null }, program).ok).toBe(false);
});

test('a new installation replaces the old one, wherever that stands', () => {
  const first = withGuard('claude-code', { file: 's.json', text: '{"a": 1}', before: null }, program);
  const moved = { ...program, words: ['/other/node', 'x'] };
  const second =
    first.ok && withGuard('claude-code', { file: 's.json', text: first.text, before: '{"a": 1}' }, moved);
  const text = second !== false && second.ok ? second.text : '';
  expect(text).not.toContain('/opt/node');
  expect(text.match(/planwright-guard/g)).toHaveLength(3);
});

/** Every character of one is in the other, in order. */
function isWithin(one: string, other: string): boolean {
  let at = 0;
  for (const character of other) if (character === one[at]) at++;
  return at === one.length;
}

const meaning = (file: string, text: string): unknown => {
  if (file === 'config.toml') return text;
  const node = parseJsonc(text);
  return node === null ? null : plainOf(node);
};
const comments = (text: string): string[] => text.match(/\/\/ [^\n]*|\/\* [^*]*\*\//g) ?? [];
