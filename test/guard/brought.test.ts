import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from './desk.ts';

const evil = (path: string) =>
  `diff --git a/${path} b/${path}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+{"disableAllHooks": true}\n`;

test('what comes along with an archive, a patch or a folder cannot change what the agent is guarded by', async () => {
  const { work, call } = openDesk();
  const put = (name: string, text: string) => writeFileSync(join(work, name), text);
  const run = (...words: string[]) => execFileSync(words[0]!, words.slice(1), { cwd: work });
  mkdirSync(join(work, 'evil/.claude'), { recursive: true });
  put('evil/.claude/settings.json', '{}');
  mkdirSync(join(work, 'good/src'), { recursive: true });
  put('good/src/a', 'x');
  symlinkSync('.claude', join(work, 'good-link'));
  for (const [kind, name] of [
    ['', 'tar'],
    ['z', 'tgz'],
  ]) {
    run('tar', `c${kind}f`, `evil.${name}`, '-C', 'evil', '.');
    run('tar', `c${kind}f`, `good.${name}`, '-C', 'good', '.');
    run('tar', `c${kind}f`, `deep.${name}`, 'evil');
  }
  run('tar', 'cf', 'link.tar', 'good-link');
  const zipped = (name: string, from: string, file: string) =>
    run('python3', '-c', `import zipfile; zipfile.ZipFile('${name}','w').write('${from}','${file}')`);
  zipped('evil.zip', 'evil/.claude/settings.json', '.claude/settings.json');
  zipped('good.zip', 'good/src/a', 'src/a');
  put('evil.diff', evil('.claude/settings.json'));
  put('good.diff', evil('src/a'));
  put('other.tar.xz', 'not to be read');
  const answers = async (lines: string[]) =>
    Object.fromEntries(await Promise.all(lines.map(async (line) => [line, await call(line)])));
  const all = (lines: string[], answer: string) => Object.fromEntries(lines.map((line) => [line, answer]));
  const bad = [
    'tar xf evil.tar',
    'tar xzf evil.tgz',
    'tar --extract --file=evil.tgz',
    'tar xf deep.tar --strip-components=1',
    'tar xf link.tar',
    'unzip -o evil.zip',
    'unzip evil',
    'git apply evil.diff',
    'git am < evil.diff',
    'patch -p1 < evil.diff',
    'patch -p1 -i evil.diff',
    `git apply <<'X'\n${evil('.claude/settings.json')}X`,
    'cp -r evil/. .',
    'cp -a evil/.claude .',
    'mv evil/.claude .',
    'ln -s evil/.claude',
    'rsync -a evil/ ./',
    'A=evil; cp -r $A/. .',
    'mkdir -p x && cd x && tar xf ../evil.tar -C ..',
  ];
  expect(await answers(bad)).toEqual(all(bad, 'deny'));
  // What cannot be known is asked, and so are settings of agents elsewhere.
  const unseen = [
    'tar xf deep.tar',
    'tar xf other.tar.xz',
    'tar xf gone.tar',
    'cat evil.diff | git apply',
    '7z x a.7z',
  ];
  expect(await answers(unseen)).toEqual(all(unseen, 'ask'));
  const fine = [
    'tar xf good.tar',
    'tar xzf good.tgz',
    'tar tf evil.tar',
    'tar czf out.tgz evil',
    'unzip -o good.zip',
    'unzip -l evil.zip',
    'git apply good.diff',
    'git apply --check evil.diff',
    'patch -p1 < good.diff',
    'cp -r good/. .',
    'cp -r evil other',
    'mkdir -p vendor; tar xf other.tar.xz -C vendor',
    'mv good better',
  ];
  expect(await answers(fine)).toEqual(all(fine, '{}'));
});
