import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Arrows, checkArrows, report } from '../../scripts/arrows.ts';

const root = join(import.meta.dirname, '../..');
const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** The house without its furniture, and what is planted in it. */
function houseWith(files: Record<string, string>): string {
  const copy = mkdtempSync(join(tmpdir(), 'planwright-house-'));
  copies.push(copy);
  for (const file of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
}

const imports = (...from: string[]) => from.map((path) => `import '${path}';\n`).join('');

/** What is allowed, however odd it looks. */
const allowed: Record<string, string> = {
  'src/core/contract/index.ts': "export * from './word.ts';\n",
  'src/core/contract/word.ts': imports('zod') + 'export interface Word { text: string }\n',
  'src/core/shell/index.ts': imports('../contract/index.ts', 'unbash'),
  'src/core/risk/index.ts': imports('../contract/index.ts', '../shell/index.ts'),
  'src/core/plan/index.ts': imports('../contract/index.ts', '../risk/index.ts'),
  'src/core/risk/policy/index.ts': 'export {};\n',
  'src/core/risk/page/index.ts': 'export {};\n',
  'src/core/risk/policy/nearest.ts': 'export {};\n',
  'src/core/plan/nearest.ts': 'export {};\n',
  'src/core/plan/by-sub-door.ts': imports('../risk/policy/index.ts'),
  'src/doors/cli/by-sub-door.ts': imports('../../core/plan/nearest.ts'),
  'src/core/plan/plan.test.ts': imports('node:fs', 'vitest', '../contract/word.ts'),
  'src/core/run/index.ts': imports('../plan/index.ts', '../risk/index.ts'),
  'src/world/process/index.ts': imports('node:fs', '../../core/run/index.ts'),
  'src/world/store/index.ts': imports('../../core/contract/index.ts'),
  'src/world/workspace/index.ts': imports('../process/index.ts'),
  'src/world/tools/index.ts': imports('../process/index.ts', '../workspace/index.ts'),
  'src/world/mcp/index.ts': imports('../process/index.ts'),
  'src/world/actions/index.ts': imports('../tools/index.ts', '../workspace/index.ts', '../process/index.ts'),
  'src/mind/planner/index.ts': imports('../../core/plan/index.ts'),
  'src/mind/brain/index.ts': imports('../../world/store/index.ts'),
  'src/mind/chat/index.ts': imports('../brain/index.ts', '../planner/index.ts'),
  'src/mind/tasks/index.ts': imports('../chat/index.ts'),
  'src/doors/app/index.ts': imports('../../mind/tasks/index.ts', '../../world/actions/index.ts'),
  'src/doors/server/index.ts': imports('../app/index.ts'),
  'src/doors/cli/index.ts': imports('../app/index.ts'),
  'test/crash/crash.test.ts': imports('../../src/core/contract/word.ts'),
  'bench/store/index.ts': imports('../../src/core/contract/word.ts'),
};

/** Each breaks one rule: the file that does, what it imports, and the rule. */
const broken: [from: string, to: string, rule: string][] = [
  ['src/core/contract/up.ts', 'src/world/store/index.ts', 'up-from-core'],
  ['src/world/store/up.ts', 'src/mind/brain/index.ts', 'up-from-world'],
  ['src/mind/brain/up.ts', 'src/doors/app/index.ts', 'up-from-mind'],
  ['src/core/risk/up.test.ts', 'src/world/store/index.ts', 'up-from-core'],
  ['src/core/contract/sideways.ts', 'src/core/plan/index.ts', 'arrow-from-core-contract'],
  ['src/core/shell/sideways.ts', 'src/core/risk/index.ts', 'arrow-from-core-shell'],
  ['src/core/risk/sideways.ts', 'src/core/plan/index.ts', 'arrow-from-core-risk'],
  ['src/core/plan/sideways.ts', 'src/core/run/index.ts', 'arrow-from-core-plan'],
  ['src/world/store/sideways.ts', 'src/world/workspace/index.ts', 'arrow-from-world-store'],
  ['src/world/process/sideways.ts', 'src/world/store/index.ts', 'arrow-from-world-process'],
  ['src/world/workspace/sideways.ts', 'src/world/tools/index.ts', 'arrow-from-world-workspace'],
  ['src/world/actions/sideways.ts', 'src/world/store/index.ts', 'arrow-from-world-actions'],
  ['src/mind/brain/sideways.ts', 'src/mind/planner/index.ts', 'arrow-from-mind-brain'],
  ['src/mind/tasks/sideways.ts', 'src/mind/planner/index.ts', 'arrow-from-mind-tasks'],
  ['src/doors/app/sideways.ts', 'src/doors/cli/index.ts', 'arrow-from-doors-app'],
  ['src/doors/server/sideways.ts', 'src/doors/cli/index.ts', 'arrow-from-doors-server'],
  ['src/core/risk/window.ts', 'src/core/contract/word.ts', 'past-the-door'],
  ['src/doors/cli/window.ts', 'src/core/contract/word.ts', 'past-the-door'],
  ['src/core/plan/side-window.ts', 'src/core/risk/page/index.ts', 'past-the-door'],
  ['src/core/plan/back-window.ts', 'src/core/risk/policy/nearest.ts', 'past-the-door'],
  ['scripts/window.ts', 'src/core/contract/word.ts', 'past-the-door-from-outside'],
  ['web/src/window.ts', 'src/doors/app/index.ts', 'web-beyond-contract'],
  ['src/world/store/shed.ts', 'src/world/shed/index.ts', 'unknown-room'],
  ['src/core/plan/tested.ts', 'src/core/plan/plan.test.ts', 'tests-in-product'],
  ['src/doors/app/tested.ts', 'test/crash/crash.test.ts', 'tests-in-product'],
  ['src/core/run/circle.ts', 'src/core/run/other-half.ts', 'cycle'],
];

const relative = (from: string, to: string) => `${'../'.repeat(from.split('/').length - 1)}${to}`;

/** That they hold in this repository, and that every source file was looked at, `npm run check` says. */
describe('the arrows of the house', () => {
  test('leave alone what is allowed', async () => {
    expect(report(await checkArrows(houseWith(allowed)))).toMatchObject({ ok: true });
  });

  describe('are missed by a planted import:', () => {
    let arrows: Arrows;
    beforeAll(async () => {
      const planted = broken.map(([from, to]) => [from, imports(relative(from, to))]);
      const house = houseWith({
        ...allowed,
        ...Object.fromEntries(planted),
        'src/world/shed/index.ts': 'export {};\n',
        'src/core/run/other-half.ts':
          "import type { Half } from './circle.ts';\nexport type Whole = Half[];\n",
        'src/core/run/circle.ts':
          "import type { Whole } from './other-half.ts';\nexport type Half = Whole;\n",
        'src/core/risk/files.ts': imports('node:fs'),
        'src/core/run/old-style.ts': imports('path'),
        'src/core/plan/typed.ts':
          "import type { Stats } from 'node:fs';\nexport type Size = Stats['size'];\n",
        'src/world/store/dev.ts': imports('vitest'),
        'src/world/actions/grammar.ts': imports('unbash'),
        'src/world/store/gone.ts': imports('./nowhere.ts'),
      });
      arrows = await checkArrows(house);
    });
    const found = (rule: string, from: string) =>
      arrows.violations.filter((violation) => violation.rule === rule && violation.from === from);

    test.each(broken)('%s → %s (%s)', (from, to, rule) => {
      expect(found(rule, from)).toMatchObject([{ to }]);
      expect(found(rule, from)[0]!.advice).not.toBe('');
    });
    test.each(['src/core/risk/files.ts', 'src/core/run/old-style.ts', 'src/core/plan/typed.ts'])(
      '%s → a built-in of Node',
      (from) => {
        expect(found('built-in-in-core', from)).toHaveLength(1);
      },
    );
    test('src/world/store/dev.ts → vitest, which is not installed with the package', () => {
      expect(found('dev-dependency-in-product', 'src/world/store/dev.ts')).toHaveLength(1);
    });
    test('src/world/actions/grammar.ts → the grammar of the shell room', () => {
      expect(found('grammar-past-the-shell-room', 'src/world/actions/grammar.ts')).toHaveLength(1);
    });
    test('src/world/store/gone.ts → nothing', () => {
      expect(found('unresolvable', 'src/world/store/gone.ts')).toHaveLength(1);
    });
    test('and nothing else is complained about', () => {
      const planted = new Set([
        ...broken.map(([from]) => from),
        ...arrows.violations.flatMap(({ rule, from }) => (rule === 'cycle' ? [from] : [])),
      ]);
      const others = arrows.violations.filter(({ from }) => !planted.has(from)).map(({ from }) => from);
      expect(others.toSorted()).toEqual([
        'src/core/plan/typed.ts',
        'src/core/risk/files.ts',
        'src/core/run/old-style.ts',
        'src/world/actions/grammar.ts',
        'src/world/store/dev.ts',
        'src/world/store/gone.ts',
      ]);
    });
  });

  test('are not proved by an empty scan', async () => {
    const empty = report(await checkArrows(houseWith({ 'src/core/readme.txt': 'nothing here' })));
    expect(empty).toMatchObject({ ok: false });
    expect(empty.text).toContain('not scanned');
  });

  test('are not proved by a scan that leaves files out', async () => {
    const house = houseWith(allowed);
    writeFileSync(
      join(house, '.dependency-cruiser.cjs'),
      "module.exports = { forbidden: [], options: { exclude: { path: 'src/world' } } };\n",
    );
    const { ok, text } = report(await checkArrows(house));
    expect(ok).toBe(false);
    expect(text).toContain('src/world/store/index.ts\n  not scanned');
  });
});
