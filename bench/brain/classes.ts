import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { createRulesBrain } from '../../src/mind/brain/index.ts';
import { isText, plain, propose } from '../../test/brain/corpora.ts';
import { probeOf } from '../../test/brain/world.ts';
import type { Row } from '../row.ts';

const here = import.meta.dirname;

const Case = z.strictObject({
  run: z.string(),
  says: z.string(),
  mends: z.array(z.string()).min(1),
  files: z.record(z.string(), z.string()).optional(),
  executable: z.array(z.string()).optional(),
  programs: z.array(z.string()).optional(),
  git: z.strictObject({ branch: z.string(), branches: z.array(z.string()) }).optional(),
});
type Case = z.infer<typeof Case>;

interface Tried extends Case {
  family: string;
  /** Of every two classes the second is held back: rules are not written after it. */
  isHeldBack: boolean;
  ours: string | null;
  theirs: string | null;
  isMended: boolean;
  isMendedByThem: boolean;
}

function readClasses(): (Case & { family: string; isHeldBack: boolean })[] {
  const all = z
    .record(z.string(), z.array(Case))
    .parse(parse(readFileSync(join(here, 'classes.yaml'), 'utf8')));
  return Object.keys(all)
    .toSorted()
    .flatMap((family, at) => all[family]!.map((one) => ({ ...one, family, isHeldBack: at % 2 === 1 })));
}

const facts = { remoteBranches: [], remotes: ['origin'], tags: [] };

async function tryClasses(): Promise<Tried[]> {
  const cases = readClasses();
  const theirs = peer(cases);
  const tried: Tried[] = [];
  for (const [at, one] of cases.entries()) {
    const { files, executable, programs, git } = one;
    const isSeen = [files, executable, programs, git].some((known) => known !== undefined);
    const world = {
      ...(files === undefined ? {} : { files }),
      ...(executable === undefined ? {} : { executable }),
      ...(programs === undefined ? {} : { programs }),
      ...(git === undefined ? {} : { git: { ...facts, ...git } }),
    };
    const brain = createRulesBrain({ probeAt: () => probeOf(isSeen ? world : undefined) });
    const proposed = await propose(brain, { command: one.run, output: one.says }, '/work');
    const answer = theirs?.[at] ?? null;
    tried.push({
      ...one,
      ours: proposed === null ? null : [...proposed.inserted, proposed.command].join(' && '),
      theirs: answer,
      isMended: proposed !== null && one.mends.some((text) => isText(proposed, text)),
      isMendedByThem: answer !== null && one.mends.some((text) => plain(text) === plain(answer)),
    });
  }
  return tried;
}

/** The first answer of thefuck to each; null where it is not installed. It cannot ask tools that are not here either. */
function peer(cases: readonly Case[]): (string | null)[] | null {
  const run = spawnSync('/usr/bin/python3', [join(here, 'thefuck.py')], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
  });
  return run.status === 0 ? z.array(z.string().nullable()).parse(JSON.parse(run.stdout)) : null;
}

/** Failures of thefuck's classes: how many our rules mend with their first proposal, and how many it does. */
export async function benchClasses(): Promise<Row[]> {
  const tried = await tryClasses();
  const isThere = tried.some(({ theirs }) => theirs !== null);
  return [
    ['classes that rules were written after', false] as const,
    ['classes that were held back', true] as const,
  ].map(([name, isHeldBack]) => {
    const half = tried.filter((one) => one.isHeldBack === isHeldBack);
    const mended = half.filter(({ isMended }) => isMended).length;
    const theirs = half.filter(({ isMendedByThem }) => isMendedByThem).length;
    return {
      name,
      value: (100 * mended) / half.length,
      unit: '%',
      target: '>= 75',
      note: `${mended} of ${half.length}; ${isThere ? `thefuck: ${theirs}` : 'thefuck: not here'}`,
    };
  });
}

// `node bench/brain/classes.ts`: class by class. What is held back is counted only.
if (import.meta.main) {
  const tried = await tryClasses();
  for (const { family, run, ours, theirs, isMended, isMendedByThem, isHeldBack } of tried) {
    const marks = `${isMended ? '✓' : '✗'}${isMendedByThem ? '✓' : '✗'}`;
    if (!isHeldBack) process.stdout.write(`${marks} ${family}: ${run} → ${ours} | ${theirs}\n`);
  }
  for (const row of await benchClasses())
    process.stdout.write(`${row.name}: ${row.value.toFixed(1)} % (${row.note})\n`);
}
