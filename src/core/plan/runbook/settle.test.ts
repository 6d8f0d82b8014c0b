import { describe, expect, test } from 'vitest';
import { shellText } from '../../contract/index.ts';
import { parseRunbook } from './parse.ts';
import { selectByHeading } from './select.ts';
import { settleWays } from './settle.ts';

/** A machine with these programs, and a project with these files. */
const machine = (programs: string, files = '', system = 'linux') => ({
  exists: (path: string) => files.split(' ').includes(path),
  kind: () => null,
  realpath: () => null,
  system: () => system,
  commandExists: (name: string) => programs.split(' ').includes(name),
});
const settle = (page: string, facts: ReturnType<typeof machine>) =>
  settleWays(parseRunbook(page, { file: 'P.md' }), facts);
async function runs(page: string, facts: ReturnType<typeof machine>) {
  const settled = await settle(page, facts);
  return settled.ok ? settled.plan.steps.map(({ action }) => shellText(action)) : [];
}
const block = (text: string) => `\n\n\`\`\`sh\n${text}\n\`\`\`\n\n`;

const packages = `# P\n\nUsing npm:${block('$ npm install x')}Using yarn:${block('$ yarn add x')}Using pnpm:${block('$ pnpm add x')}${block('node app.js')}`;
const distributions = `# P\n## Debian${block('sudo apt-get update\nsudo apt-get install x')}## Fedora${block('sudo dnf install x')}## Homebrew${block('brew install x')}## Windows${block('git clone x')}# Build${block('make')}`;

describe('which of several ways that would do', () => {
  const asked = async (page: string, facts: ReturnType<typeof machine>, answer: number | null) => {
    const questions: string[][] = [];
    const settled = await settleWays(parseRunbook(page, { file: 'P.md' }), facts, async (ways) => {
      questions.push(ways.map(({ name, text, line }) => `${name} ${line}: ${text}`));
      return answer;
    });
    if (!settled.ok) throw new Error('not settled');
    return { questions, runs: settled.plan.steps.map(({ action }) => shellText(action)) };
  };

  test('a person says, once for the same ways', async () => {
    const again = `${packages}# Test${block('$ npm install y')}${block('$ yarn add y')}`;
    const { questions, runs } = await asked(again, machine('npm yarn'), 1);
    expect(questions).toEqual([['npm 6: npm install x', 'yarn 12: yarn add x']]);
    expect(runs).toEqual(['yarn add x', 'node app.js', 'yarn add y']);
  });

  test.each([
    ['the project has said', machine('npm yarn', 'yarn.lock'), 'yarn add x'],
    ['only one would do', machine('pnpm'), 'pnpm add x'],
    ['none would', machine(''), 'npm install x'],
  ])('is not asked where %s', async (_, facts, expected) => {
    const { questions, runs } = await asked(packages, facts, 0);
    expect(questions).toEqual([]);
    expect(runs[0]).toBe(expected);
  });

  test('is the first where nobody minds', async () => {
    expect((await asked(packages, machine('npm yarn'), null)).runs[0]).toBe('npm install x');
  });
});

describe('of several ways one is taken', () => {
  test.each([
    [packages, machine('npm yarn node'), ['npm install x', 'node app.js']],
    [packages, machine('pnpm node'), ['pnpm add x', 'node app.js']],
    [packages, machine('npm yarn', 'yarn.lock'), ['yarn add x', 'node app.js']],
    [packages, machine(''), ['npm install x', 'node app.js']],
    [distributions, machine('dnf'), ['sudo dnf install x', 'make']],
    [distributions, machine('brew apt-get'), ['sudo apt-get update\nsudo apt-get install x', 'make']],
    [distributions, machine('git', '', 'windows'), ['git clone x', 'make']],
    [distributions, machine(''), ['make']],
  ])('%j', async (page, facts, expected) => {
    expect(await runs(page, facts)).toEqual(expected);
  });

  test('what is for another system says which, by one name', async () => {
    const page = `# P\n## On Gentoo Linux${block('emerge x')}## On OpenBSD${block('pkg_add x')}## On Debian${block('apt-get install x')}`;
    const settled = await settleWays(
      parseRunbook(page, { file: 'P.md', terminal: false }),
      machine('apt-get'),
    );
    expect((settled.ok ? settled.warnings : []).map(({ message }) => message)).toEqual([
      'Left out: it is for Gentoo.',
      'Left out: it is for BSD.',
    ]);
  });

  test('by a heading with several systems and their versions', async () => {
    const page = `# P\n## On Void Linux${block('xbps-install x')}## On RedHat Enterprise Linux (RHEL) 8/9/10, Almalinux 8/9 or EuroLinux 8${block('dnf copr enable x')}## Ubuntu${block('apt-get install x')}`;
    expect(await runs(page, machine('apt-get'))).toEqual(['apt-get install x']);
    expect(await runs(page, machine('dnf'))).toEqual(['dnf copr enable x']);
  });

  test('by what stands right before a block', async () => {
    const page = `# P\n\nOn macOS and Linux:${block('a input')}And on Windows:${block('a true')}It is on the list.${block('b')}`;
    expect(await runs(page, machine(''))).toEqual(['a input', 'b']);
    expect(await runs(page, machine('', '', 'windows'))).toEqual(['a true', 'b']);
  });

  test('the same download by another program', async () => {
    const page = `# P${block('curl -o- https://x/i.sh | bash')}${block('wget -qO- https://x/i.sh | bash')}${block('wget https://x/other')}`;
    expect(await runs(page, machine('wget'))).toEqual([
      'wget -qO- https://x/i.sh | bash',
      'wget https://x/other',
    ]);
  });
});

test.each([
  [`# P${block('npm install')}${block('yarn test')}`, 'another thing is done with it'],
  [`# P${block('npm install a')}${block('yarn add b')}`, 'another thing is installed'],
  [`# P\n## A${block('npm install a')}# Q\n## B${block('yarn add a')}`, 'it stands elsewhere'],
  [`# P${block('npm install a\nyarn build')}${block('pnpm add a')}`, 'it does more than that'],
  [`# P\n## Linux kernel notes${block('a')}`, 'a heading about something else'],
  [
    `# P\n\nThis also works on Windows machines that are old.${block('a')}`,
    'a sentence about something else',
  ],
])('%j is no choice: %s', async (page) => {
  const all = parseRunbook(page, { file: 'P.md' });
  expect(await settle(page, machine(''))).toEqual(all);
});

test('the others are told, and can be picked', async () => {
  const settled = await settle(packages, machine('npm'));
  if (!settled.ok) throw new Error('refused');
  expect(settled.warnings.map(({ message }) => message)).toEqual([
    'Left out: yarn is another way to do this, and npm was taken.',
    'Left out: pnpm is another way to do this, and npm was taken.',
  ]);
  expect(settled.warnings[0]?.mend).toBe('`--only "yarn"` takes it.');
  const picked = (text: string) => {
    const selected = selectByHeading(settled.runbook, text);
    return selected.ok ? selected.plan.steps.map(({ action }) => shellText(action)) : selected.problem;
  };
  expect(picked('yarn')).toEqual(['yarn add x']);
  expect(picked('P')).toEqual(['npm install x', 'node app.js']);
  const elsewhere = await settle(distributions, machine('dnf'));
  if (!elsewhere.ok) throw new Error('refused');
  const homebrew = selectByHeading(elsewhere.runbook, 'Homebrew');
  expect(homebrew.ok && homebrew.plan.steps.map(({ action }) => shellText(action))).toEqual([
    'brew install x',
  ]);
});

test('a page for another machine alone says so', async () => {
  const settled = await settle(`# P\n## Windows${block('a')}`, machine(''));
  expect(settled).toMatchObject({
    ok: false,
    problems: [{ code: 'no-steps' }, { message: 'Left out: it is for Windows.' }],
  });
});

describe('which system a way is for', () => {
  const several = `# P\n\nOn macOS or Linux, use Homebrew:${block('brew install x')}On Ubuntu / Mint:${block('sudo apt install y\npip install x')}On ChromeOS:${block('crew install x')}On other systems, use pip:${block('pip install x')}# Update${block('pip3 install x --upgrade')}`;
  const [brew, apt, crew, pip] = [
    'brew install x',
    'sudo apt install y\npip install x',
    'crew install x',
    'pip install x',
  ];
  const update = 'pip3 install x --upgrade';
  test.each([
    ['apt apt-get pip pip3', 'linux', [apt, update]],
    ['brew', 'linux', [brew, update]],
    ['brew', 'macos', [brew, update]],
    ['crew', 'linux', [crew, update]],
    ['', 'linux', [brew, update]],
    ['pip', 'windows', [pip, update]],
  ])('a machine with %j on %s', async (programs, system, expected) => {
    expect(await runs(several, machine(programs, '', system))).toEqual(expected);
  });

  test('is said by comments in a block, each part with its own', async () => {
    const page = `# Linux${block('# Debian-based:\napt install x\n# Red Hat-based\ndnf install x\n\n# For all of them\nmake x')}`;
    expect(await runs(page, machine('apt apt-get'))).toEqual([
      '# Debian-based:\napt install x',
      '# For all of them\nmake x',
    ]);
    const settled = await settle(page, machine('dnf'));
    expect(settled.ok && settled.warnings).toMatchObject([
      { message: 'Left out: it is for Debian.', mend: '`--only "Debian"` takes it.', source: { line: 4 } },
    ]);
  });

  test('one comment in a block is only a comment', async () => {
    const text = '# On Debian\napt install x\nmake';
    expect(await runs(`# P${block(text)}`, machine('dnf'))).toEqual([text]);
  });

  test('is said by the heading, whatever stands below it', async () => {
    const page = `# P\n## Debian and their derivatives\n### First${block('a')}### Then${block('b')}## Fedora${block('c')}## Other Linux distributions${block('d')}## Upgrading with Homebrew${block('e')}`;
    expect(await runs(page, machine('apt-get'))).toEqual(['a', 'b']);
    expect(await runs(page, machine('emerge'))).toEqual(['d']);
  });

  test('is said by its name, and what fits too by what it needs', async () => {
    const page = `${several}# Rocky Linux 8/9${block('dnf install x')}`;
    const settled = await settle(page, machine('apt apt-get brew pip'));
    expect(settled.ok && settled.warnings.map(({ message }) => message)).toEqual([
      'Left out: apt is another way to do this, and brew was taken.',
      'Left out: it is for ChromeOS.',
      'Left out: the one for other systems is another way to do this, and brew was taken.',
      'Left out: it is for Red Hat.',
    ]);
  });
});
