import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Desk, openDesk } from './desk.ts';

const answers = async (call: Desk['call'], lines: readonly string[]) =>
  Object.fromEntries(await Promise.all(lines.map(async (line) => [line, await call(line)])));
const all = (lines: readonly string[], answer: string) =>
  Object.fromEntries(lines.map((line) => [line, answer]));

function withSettings(): Desk {
  const desk = openDesk();
  mkdirSync(join(desk.work, '.claude'));
  writeFileSync(join(desk.work, '.claude/settings.json'), '{}');
  mkdirSync(join(desk.work, 'src'));
  for (const name of ['e', 'src/a.ts', 'package.json']) writeFileSync(join(desk.work, name), 'x');
  return desk;
}

/** Names that are found when it runs, and reach what the agent is guarded by. */
const reaching = [
  'find . -name "settings.j*" -exec cp e {} \\;',
  'find -name "settings.j*" -exec cp e {} \\;',
  'find . -type f -exec sed -i s/a/b/ {} +',
  'find . -name "set*" -exec env cp e {} \\;',
  'find . -path "./.cl*" -type f -exec sh -c \'cp e "$1"\' _ {} \\;',
  'find . -name "*.ts" -exec true {} \\; -o -name "settings.j*" -exec cp e {} \\;',
  'find . -name "*.ts" -exec touch {} \\; -o -name "settings.j*" -exec cp e {} \\;',
  'find . -name ".cl*" -exec mv {} old \\;',
  'find . -name "settings*" -delete',
  'cd .claude && find . -name "s*" -exec cp ../e {} \\;',
  'ls .claude/* | xargs -I{} cp e {}',
  'ls -d .claude/* | sort | xargs -n1 cp e',
  'ls -A .claude | sed s,^,.claude/, | xargs -I{} cp e {}',
  'find . -name "settings*" | xargs -I{} cp e {}',
  'find . -name "settings*" | while read f; do cp e "$f"; done',
  'grep -rl x . | xargs sed -i s/x/y/',
  'git ls-files | xargs sed -i s/x/y/',
  'rg -l --hidden x | xargs sed -i s/x/y/',
  'shopt -s dotglob; cp e */settings.json',
  'shopt -s dotglob; echo x > */settings.json',
  'shopt -s dotglob; for f in */settings.json; do cp e "$f"; done',
  "bash -O dotglob -c 'cp e */settings.json'",
  'GLOBIGNORE=x; cp e */settings.json',
];

/** Everyday work beside it. */
const beside = [
  'find src -name "*.ts" -exec sed -i s/a/b/ {} \\;',
  'find . -name "*.ts" -exec sed -i s/a/b/ {} +',
  'find . -type f -exec grep -l x {} +',
  'find . -name "*.json" -exec cat {} \\;',
  'find src -type f | xargs sed -i s/a/b/',
  'find . -name "*.ts" | grep -v test | sort | xargs sed -i s/a/b/',
  'grep -rl x src | xargs sed -i s/x/y/',
  'grep -rl --include=*.ts x . | xargs sed -i s/x/y/',
  'rg -l x | xargs sed -i s/x/y/',
  "git ls-files '*.ts' | xargs sed -i s/x/y/",
  'ls src/*.ts | xargs touch',
  'ls | xargs touch',
  'cp e */settings.json',
  'shopt -s globstar; sed -i s/a/b/ src/**/*.ts',
  'shopt -s dotglob; cp src/* lib/',
];

test('names that are only known when it runs are asked about where they could be what guards', async () => {
  const { call } = withSettings();
  expect(await answers(call, reaching)).toEqual(all(reaching, 'ask'));
});

test('names that cannot be, and settings that are not there, are no worry', async () => {
  const { call } = withSettings();
  expect(await answers(call, beside)).toEqual(all(beside, '{}'));
  const without = openDesk();
  const fine = 'find . -type f -exec sed -i s/a/b/ {} +';
  expect(await without.call(fine)).toBe('{}');
});
