import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../contract/index.ts';
import { findPlaceholders } from './placeholders.ts';
import { substitute, substituteText } from './substitute.ts';

const run = (command: string): Action => ({ kind: 'run-command', command });
const values = { item: "/w/it's; touch INJ", index: 7, env: 'prod', empty: '' };
const quoted = "'/w/it'\\''s; touch INJ'";

function result(command: string, shell: 'bash' | 'pwsh' = 'bash'): string {
  const done = substitute(run(command), values, { shell });
  if (!done.ok) return `refused: ${done.refusals.map((refusal) => refusal.message).join(' ')}`;
  return (done.action as { command: string }).command;
}

describe('in a command a value is one word', () => {
  test.each([
    ['wc -l {item}', `wc -l ${quoted}`],
    ['{item} --version', `${quoted} --version`],
    ['cp {item}{,.bak}', `cp ${quoted}{,.bak}`],
    ['tar -cf out/{index:03d}.tar -C {item} .', `tar -cf out/'007'.tar -C ${quoted} .`],
    ['echo {empty}', "echo ''"],
    ['x={item} && echo "$x"', `x=${quoted} && echo "$x"`],
    ['cat < {item} > out/{index}', `cat < ${quoted} > out/'7'`],
    ['echo "n: $(wc -l < {item})"', `echo "n: $(wc -l < ${quoted})"`],
    ['diff <(sort {item}) {item}', `diff <(sort ${quoted}) ${quoted}`],
    [
      'for f in {item}; do [ -f "$f" ] && echo {env}; done',
      `for f in ${quoted}; do [ -f "$f" ] && echo 'prod'; done`,
    ],
    ['case {env} in prod) ls;; esac', "case 'prod' in prod) ls;; esac"],
    ['[[ {env} == prod ]] && cat <<< {env}', "[[ 'prod' == prod ]] && cat <<< 'prod'"],
    ['curl -F file=@{item} x', `curl -F file=@${quoted} x`],
    ['grep read {item}', `grep read ${quoted}`],
    ['bash {item}', `bash ${quoted}`],
    ['bash -s {item} < a.sh', `bash -s ${quoted} < a.sh`],
    ['bash < {item}', `bash < ${quoted}`],
    ['declare x={item}', `declare x=${quoted}`],
    ['export A={env}', "export A='prod'"],
    ['sudo cp {item} /x', `sudo cp ${quoted} /x`],
    ['sudo cp "$src" {item}', `sudo cp "$src" ${quoted}`],
    ['find {item} -newer {env}', `find ${quoted} -newer 'prod'`],
    ['cat {item} | grep x | bash a.sh', `cat ${quoted} | grep x | bash a.sh`],
    ['PATH={item}:$PATH make', `PATH=${quoted}:$PATH make`],
    ['ls {item} # about {item}', `ls ${quoted} # about {item}`],
    ['cat <<EOF | grep {env}\nbody\nEOF', "cat <<EOF | grep 'prod'\nbody\nEOF"],
  ])('%s', (command, expected) => {
    expect(result(command)).toBe(expected);
  });
});

describe('what only looks like a placeholder is left alone', () => {
  test.each([
    'echo ${item} $item',
    'echo {{item}} {{ item }}',
    'echo \\{item}',
    'echo {a,b} {1..3} {} {other}',
    "awk '{print $1}' f",
    'git log @{upstream}..',
    'find . -exec rm {} \\;',
    `curl -d '{"a": {"b": 1}}' x`,
    'docker ps --format "{{.Names}}"',
    'echo {item:3d} {item,} {item }',
    'f() { ls; }',
  ])('%s', (command) => {
    expect(result(command)).toBe(command);
  });
});

describe('inside quotes, and where it would be code, it is refused', () => {
  test.each([
    ["echo '{item}'", 'inside quotes'],
    ['echo "{item}"', 'inside quotes'],
    ['echo "a $x {item} b"', 'inside quotes'],
    ["echo $'{item}'", 'inside quotes'],
    ['echo $"{item}"', 'inside quotes'],
    ["x' {item} 'y", 'inside quotes'],
    ['echo `ls {item}`', 'backticks'],
    ['echo "`ls {item}`"', 'backticks'],
    ['cat <<EOF\n{item}\nEOF', 'here-document'],
    ["cat <<'EOF'\n{item}\nEOF", 'here-document'],
    ['cat <<EOF\n$(ls {item})\nEOF', 'here-document'],
    ['cat <<{item}\nx\n{item}', 'here-document'],
    ['echo $(( {item} ))', 'arithmetic'],
    ['(( x = {item} ))', 'arithmetic'],
    ['echo ${x:-{item}y}', '${ … }'],
    ['a[{item}]=1', 'array index'],
    ['[[ {item} -eq 1 ]]', '-eq'],
    ['[[ -v {item} ]]', '-v'],
    ['eval ls {item}', 'eval'],
    ['let x={item}', 'let'],
    ['$(echo eval {item})', 'which command'],
    ['$tool {item}', 'which command'],
    ['{env} {item}', 'which command'],
    ['bash -c {item}', 'bash'],
    ['sudo -u x sh -ec {item}', 'sh'],
    ['env X=1 eval {item}', 'eval'],
    ['ssh host ls {item}', 'ssh'],
    ['trap {item} EXIT', 'trap'],
    ['declare -i n={item}', 'integer'],
    ['local -i n; n={item}', 'integer'],
    ['test -v {item}', 'test'],
    ['a=([{item}]=v)', 'array index'],
    ['declare {item}', 'declare'],
    ['declare {item}=1', 'declare'],
    ['local {item}', 'local'],
    ['BASH_ENV={item} bash a.sh', 'BASH_ENV'],
    ['env BASH_ENV={item} bash a.sh', 'BASH_ENV'],
    ['PS4={item}; set -x', 'PS4'],
    ['OPTIND={item}', 'OPTIND'],
    ['for RANDOM in {item}; do ls; done', 'RANDOM'],
    ['sh <<< {item}', 'runs what it reads'],
    ['bash < <(echo {item})', 'runs what it reads'],
    ['echo {item} | sudo bash -s', 'runs what it reads'],
    ['echo {item} | tee x | python3', 'runs what it reads'],
    ['command {env} {item}', 'which command'],
    ['printf -v {item} x', 'printf'],
    ['python3 -c {item}', 'python3'],
    ['find . -exec sh -c {item} \\;', 'sh'],
    ["echo 'unclosed {item}", 'could not read'],
    ['echo {a,{item}b}', 'braces'],
    ['ls @({item}|b)', 'pattern'],
    ['echo {item:03d}', 'not a number'],
  ])('%s', (command, why) => {
    expect(result(command)).toContain('refused:');
    expect(result(command)).toContain(why);
  });

  test('a zero byte is refused everywhere', () => {
    const odd = { item: 'a\0b' };
    expect(substitute(run('ls {item}'), odd).ok).toBe(false);
    expect(substitute({ kind: 'delete-path', path: '{item}' }, odd).ok).toBe(false);
  });
});

describe('PowerShell', () => {
  test.each([
    ['Get-Item {item}', "Get-Item '/w/it''s; touch INJ'"],
    ['Get-Item "{item}"', 'refused'],
    ["Get-Item '{item}'", 'refused'],
    ['Get-Item “{item}”', 'refused'],
    ["@'\n{item}\n'@ | Out-File x", 'refused'],
    ['iex {item}', 'refused'],
    ['Get-Item `{item}', 'refused'],
    ['Get-Item x # {item}', 'Get-Item x # {item}'],
    ['<# {item} #> Get-Item x', '<# {item} #> Get-Item x'],
    ['Get-Item ${item}', 'Get-Item ${item}'],
  ])('%s', (command, expected) => {
    expect(result(command, 'pwsh')).toContain(expected);
  });

  test('typographic quotes do not end the word', () => {
    const done = substitute(run('Get-Item {item}'), { item: 'a’; calc' }, { shell: 'pwsh' });
    expect(done).toMatchObject({ ok: true, action: { command: "Get-Item 'a’’; calc'" } });
  });
});

test('in paths, contents and tool arguments a value goes in raw', () => {
  const cases: [Action, Action][] = [
    [
      { kind: 'write-file', path: 'out/{index:03d}.txt', content: '{env} "{env}" {{env}} ${env}' },
      { kind: 'write-file', path: 'out/007.txt', content: 'prod "prod" {{env}} ${env}' },
    ],
    [
      { kind: 'call-tool', tool: 'x', args: { a: ['{env}', { b: '{index}' }], '{env}': 1 } },
      { kind: 'call-tool', tool: 'x', args: { a: ['prod', { b: '7' }], '{env}': 1 } },
    ],
    [
      { kind: 'for-each', list: 'files', do: { kind: 'copy-path', from: '{other}', to: '{env}/x' } },
      { kind: 'for-each', list: 'files', do: { kind: 'copy-path', from: '{other}', to: 'prod/x' } },
    ],
  ];
  for (const [action, expected] of cases)
    expect(substitute(action, values)).toEqual({ ok: true, action: expected });
  expect(substituteText('file exists {index:03d} {env} {env:02d}', values)).toBe(
    'file exists 007 prod {env:02d}',
  );
});

test('in a loop what is repeated gets the values, and what is put in is not looked at again', () => {
  const loop = {
    kind: 'for-each' as const,
    list: 'files',
    do: { kind: 'run-command' as const, command: 'mv {item} {index:02d}-{env}' },
  };
  expect(substitute(loop, { item: '/{env}', index: 1, env: '{item}' })).toEqual({
    ok: true,
    action: { ...loop, do: { kind: 'run-command', command: "mv '/{env}' '01'-'{item}'" } },
  });
  const repeat = { kind: 'repeat' as const, times: 2, do: { kind: 'create-dir' as const, path: 'd{index}' } };
  expect(substitute(repeat, { index: 1 })).toMatchObject({ ok: true, action: { do: { path: 'd1' } } });
  const bad = {
    kind: 'repeat' as const,
    times: 2,
    do: { kind: 'run-command' as const, command: 'echo "{index}"' },
  };
  expect(substitute(bad, { index: 0 })).toMatchObject({
    ok: false,
    refusals: [{ field: 'command', position: 6 }],
  });
});

test('no text makes it throw; without known names nothing changes', () => {
  const piece = fc.constantFrom(
    '{item}',
    '{',
    '}',
    '$',
    '"',
    "'",
    '`',
    '(',
    ')',
    '<<E\n',
    '\n',
    '#',
    ' ',
    'a',
    '[[',
    ']]',
    '\\',
    ';',
    '|',
    '@',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      substitute(run(text || 'x'), values);
      substitute(run(text || 'x'), values, { shell: 'pwsh' });
      expect(substitute(run(text || 'x'), {})).toEqual({ ok: true, action: run(text || 'x') });
      for (const found of findPlaceholders(text))
        expect(text.slice(found.start, found.end)).toMatch(/^\{(item|a+)\}$/);
    }),
    { numRuns: 2_000, seed: 9 },
  );
});
