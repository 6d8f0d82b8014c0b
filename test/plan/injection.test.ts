import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { substitute } from '../../src/core/plan/substitute/index.ts';
import { howMany, lengthy, someOf } from '../support/scale.ts';
import { TEMPLATES } from './injection-templates.ts';

/** Substituted commands, run by the real bash: no value may ever be read as code. */

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'planwright-injection-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Each would make a file named INJ if any part of it were read as code. */
const payloads = [
  'x; >INJ',
  'x\n>INJ\n',
  '$(>INJ)',
  '`>INJ`',
  "'; >INJ; '",
  '"; >INJ; "',
  '\'"; >INJ; "\'',
  "\\'; >INJ; #",
  'a[$(>INJ)]',
  '${x[$(>INJ)]}',
  '&& >INJ',
  '| >INJ',
  ')\n>INJ',
  '}; >INJ; {',
  'EOF\n>INJ\n',
  '>INJ',
  '<(>INJ)',
  '*',
  '-n',
  '',
  '~',
  '!x',
  '#',
  'é\u2028"',
];

function bash(command: string, path = ''): { stdout: string; injected: boolean } {
  const done = spawnSync('bash', ['--noprofile', '--norc', '-c', `PATH=${path}\n${command}`], {
    cwd: dir,
    encoding: 'utf8',
    // What never ends is ended.
    timeout: 60_000,
    input: '',
  });
  const injected = existsSync(join(dir, 'INJ'));
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true });
  return { stdout: done.stdout, injected };
}

function substituted(command: string, item: string): string | null {
  const done = substitute({ kind: 'run-command', command }, { item });
  return done.ok && done.action.kind === 'run-command' ? done.action.command : null;
}

describe('a value reaches the command letter by letter', () => {
  test.each([
    "printf '%s\\0' {item}",
    'x={item}; printf \'%s\\0\' "$x"',
    'f() { printf \'%s\\0\' "$1"; }; f {item}',
    'for x in {item}; do printf \'%s\\0\' "$x"; done',
    'a=({item}); printf \'%s\\0\' "${a[0]}"',
    "printf '%s\\0' \"$(printf '%sE' {item})\"",
    "if [[ {item} == {item} ]]; then printf '%s\\0' {item}; fi # {item}",
    "case {item} in {item}) printf '%s\\0' {item};; esac",
  ])('%s', (template) => {
    for (const payload of payloads) {
      const command = substituted(template, payload);
      if (command === null) throw new Error('refused');
      const { stdout, injected } = bash(command);
      expect(injected, command).toBe(false);
      const expected = template.includes('%sE') ? `${payload}E\0` : `${payload}\0`;
      expect(stdout, command).toBe(expected);
    }
  });
});

/**
 * Commands with nested and broken constructs around the placeholder. No variable that takes a value is used again: a
 * script that says `x={item}; eval $x` runs the value on purpose, and that is its own matter.
 */
const pieces = fc
  .array(
    fc.constantFrom(
      ...[
        '{item}',
        '{item}',
        '{item}',
        ' ',
        ' ',
        '"',
        "'",
        '`',
        '$(',
        ')',
        '(',
        '$((',
        '))',
        '((',
        '\n',
        ';',
        '&&',
        '|',
        '#',
        ' #',
      ],
      ...[
        'echo ',
        ': ',
        'y=',
        'a[',
        ']=',
        '[[ ',
        ' ]]',
        ' -eq ',
        ' == ',
        '{ ',
        '; }',
        '${x:-',
        '}',
        '<<EOF\n',
        '\nEOF\n',
        '<<<',
      ],
      ...[
        '> ',
        '< ',
        '\\',
        "$'",
        '$"',
        '$',
        '@(',
        '*',
        '!',
        'eval ',
        'let ',
        'test -v ',
        'for z in ',
        '; do ',
        '; done',
        'case ',
      ],
      ...[
        ' in ',
        ';; esac',
        'f() { ',
        'local y=',
        'declare -i n; n=',
        'printf %s ',
        'read ',
        'if ',
        '; then ',
        '; fi',
        '<(',
        '{a,',
      ],
    ),
    { minLength: 2, maxLength: 12 },
  )
  .map((list) => list.join(''));

const nested = fc.letrec<{ part: string }>((tie) => {
  const wrap = (before: string, after: string) => tie('part').map((part) => before + part + after);
  return {
    part: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom('{item}', ' {item} ', 'a{item}b', 'x', ' '),
      fc
        .tuple(tie('part'), fc.constantFrom('', ' ', '; ', '\n', ' && ', ' | ', ' # '), tie('part'))
        .map((parts) => parts.join('')),
      ...[
        wrap('echo ', ''),
        wrap('"', '"'),
        wrap("'", "'"),
        wrap('$(', ')'),
        wrap('$( echo ', ')'),
        wrap('`', '`'),
        wrap('$((', '))'),
        wrap('${x:-', '}'),
        wrap('[[ ', ' == x ]]'),
        wrap('[[ x =~ ', ' ]]'),
        wrap('[[ ', ' -gt 1 ]]'),
        wrap('( ', ' )'),
        wrap('{ ', '; }'),
        wrap('y=', ''),
        wrap('a=( ', ' )'),
        wrap('a[', ']=1'),
        wrap(': <<EOF\n', '\nEOF\n'),
        wrap(": <<'E'\n", '\nE\n'),
        wrap(': <<-EOF ', '\n\tEOF\n'),
        wrap(': <<< ', ''),
        wrap('if ', '; then :; fi'),
        wrap('for z in ', '; do echo "$z"; done'),
        wrap('case ', ' in x) ;; esac'),
        wrap('case x in ', ') ;; esac'),
        wrap('f() { ', '; }; f'),
        wrap("$'", "'"),
        wrap('$"', '"'),
        wrap('echo {a,', '}'),
        wrap('echo @(', '|x)'),
        wrap('! ', ''),
        wrap(': <( ', ' )'),
        wrap('\\', ''),
        wrap('eval ', ''),
        wrap('command eval ', ''),
        wrap('test -v ', ''),
        wrap('unset ', ''),
      ],
    ),
  };
}).part;

test.each([
  ['broken', pieces, howMany(40_000, 6_000)],
  ['nested', nested, howMany(4_000, 600)],
] as const)(
  'whatever the command looks like (%s), what is accepted does not run a value',
  lengthy,
  (_, template, numRuns) => {
    let ran = 0;
    fc.assert(
      fc.property(template, fc.constantFrom(...payloads.slice(0, 17)), (given, payload) => {
        if (!given.includes('{item}') || given.length > 2_000) return;
        const command = substituted(given, payload);
        // What stayed as it was, because it was in a comment, has nothing to inject.
        if (command === null || command === given) return;
        ran++;
        expect(bash(command).injected, JSON.stringify({ given, command })).toBe(false);
      }),
      {
        numRuns,
        seed: Number(process.env['PLAN_INJECTION_SEED'] ?? 10),
      },
    );
    expect(ran).toBeGreaterThan(howMany(300, 40));
  },
);

test('no known way to have a value read as code is open', () => {
  const values = ['x; >INJ', '$(>INJ)', 'a[$(>INJ)]', 'a[$(>INJ)]=1', 'x\n>INJ\n', '`>INJ`'];
  let accepted = 0;
  for (const [at, template] of TEMPLATES.entries()) {
    // Other values for each: between them all are tried at a desk too.
    for (const value of someOf([...values.slice(at % 6), ...values.slice(0, at % 6)], 2)) {
      const command = substituted(template, value);
      if (command === null) continue;
      accepted++;
      expect(bash(command, '/usr/bin:/bin').injected, JSON.stringify({ template, value })).toBe(false);
    }
  }
  expect(accepted).toBeGreaterThan(howMany(300, 100));
});

test('bash is there', () => {
  expect(execFileSync('bash', ['-c', 'echo $BASH_VERSION'], { encoding: 'utf8' })).toMatch(/^\d/);
});
