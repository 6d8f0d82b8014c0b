import { describe, expect, it } from 'vitest';
import { added, type Blocks } from '../../../core/contract/index.ts';
import type { Performed } from '../../../core/risk/index.ts';
import { createRealPaths, type RealPaths } from './real-paths.ts';
import { writtenBefore } from './written-before.ts';

const context = { workspace: '/w', cwd: '/w', home: '/home/u' };
const run = (command: string): Performed => ({ action: { kind: 'run-command', command }, cwd: '/w' });
const blocksOf = (steps: readonly Performed[]): Blocks<Performed> =>
  steps.reduce<Blocks<Performed>>((blocks, step) => added(blocks, step), []);

/** Asked once, of steps that nobody has followed before. */
const anew = (steps: readonly Performed[]) =>
  writtenBefore(blocksOf(steps.map((step) => ({ ...step }))), context, createRealPaths());

const commands = (count: number): Performed[] =>
  Array.from({ length: count }, (_, n) =>
    run(
      [`curl -o f${n % 50} https://e.example`, 'true', `cp f${n % 50} g${n}`, `echo x > f${n % 7}`][n % 4]!,
    ),
  );

describe('what earlier steps wrote', () => {
  it('followed step by step is what it is from the beginning', () => {
    const steps = commands(150);
    let blocks: Blocks<Performed> = [];
    for (const [at, step] of steps.entries()) {
      blocks = added(blocks, step);
      if (at % 10 === 9)
        expect(writtenBefore(blocks, context, createRealPaths())).toEqual(anew(steps.slice(0, at + 1)));
    }
  });

  it('without one of the steps, and then with it again', () => {
    const steps = commands(70);
    const all = blocksOf(steps);
    for (const gone of [0, 3, 65, 69]) {
      const others = all.map((block) => block.filter((step) => step !== steps[gone]));
      const left = steps.filter((step) => step !== steps[gone]);
      expect(writtenBefore(others, context, createRealPaths())).toEqual(anew(left));
      expect(writtenBefore(all, context, createRealPaths())).toEqual(anew(steps));
    }
  });

  it('elsewhere is followed anew', () => {
    const blocks = blocksOf([{ action: { kind: 'run-command', command: 'echo x > a' } }]);
    const at = (cwd: string) =>
      writtenBefore(blocks, { ...context, cwd }, createRealPaths())
        .written?.files.keys()
        .next().value;
    expect([at('/w'), at('/w/sub')]).toEqual(['/w/a', '/w/sub/a']);
  });

  it('each path is looked up once, however many steps follow', () => {
    let finds = 0;
    const real = createRealPaths();
    const counted: RealPaths = {
      ...real,
      find: (path, whole) => {
        finds += 1;
        return real.find(path, whole);
      },
    };
    let blocks: Blocks<Performed> = [];
    for (let n = 0; n < 300; n += 1) {
      blocks = added(blocks, run(`echo x > file-${n}`));
      writtenBefore(blocks, context, counted);
    }
    expect(finds).toBe(300);
  });
});
