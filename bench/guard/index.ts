import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stagePackage } from '../../scripts/stage-package.ts';
import type { GuardEvent } from '../../src/core/contract/guard/index.ts';
import { keptGuards } from '../../src/core/guard/kept.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { guardStream } from '../../src/doors/app/guard/journal.ts';
import { findPlaces } from '../../src/doors/app/places.ts';
import { thisDriver } from '../../src/world/process/identity.ts';
import { openStore } from '../../src/world/store/index.ts';
import { placeOf } from '../../src/world/workspace/index.ts';
import { median, type Row } from '../row.ts';

const ROUNDS = 15;

/** What agents ask about all day, and what the guard is there for. */
type Kind = readonly [what: string, tool: string, input: object];

const kinds: readonly Kind[] = [
  ['a command that only reads', 'Bash', { command: 'git status --short && ls -la src' }],
  ['a command that changes something', 'Bash', { command: 'npm test' }],
  ['a script', 'Bash', { command: 'bash clean.sh' }],
  ['a deletion through a variable', 'Bash', { command: 'D=../precious; rm -rf "$D"' }],
  ['an edit', 'Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }],
  ['a tool that is not known', 'WebSearch', { query: 'x' }],
];

/** Verdicts in the journal: of one session, before anything is measured. */
const FEW = 10;
const MANY = 100_000;

/**
 * From the start of the process to the answer, verdict and journal included, with the package as it is installed and its code
 * cache warm; in turn, beside `node -e 0`, beside a guard of the same kind that npm has, and with a journal of many verdicts.
 * The folder is not trusted, so no checkpoint is taken, but in a row of its own.
 */
export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  try {
    const installed = join(folder, 'planwright');
    await stagePackage(installed);
    const homes = { small: join(folder, 'home'), large: join(folder, 'large') };
    await fill(homes.small, FEW);
    await fill(homes.large, MANY);
    return measure(folder, join(installed, 'bin/planwright.js'), installPeer(folder), homes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The journal of a session as the guard writes it, many verdicts to a transaction. */
async function fill(home: string, verdicts: number): Promise<void> {
  const store = await openStore<GuardEvent>({
    dir: findPlaces({ PLANWRIGHT_HOME: home }).data,
    driver: thisDriver(),
    kinds: kindsOf(keptGuards),
  });
  try {
    const [agent, session, workspace, at] = ['claude-code', 's', '/work', Date.now()] as const;
    const id = guardStream(agent, session);
    const begun = { v: 1, at, type: 'guard-begun', agent, session, place: placeOf(workspace) } as const;
    await store.begin(id, { kind: keptGuards.name, id: 'begun', events: [begun] });
    const judged = (n: number): GuardEvent => ({
      ...{ v: 1, at, type: 'call-judged', id: `${n}`, call: `c${n}`, tool: 'Bash', text: `npm test ${n}` },
      ...{ cwd: workspace, level: 'caution', answer: 'none', reason: '' },
    });
    const PART = 1000;
    for (let n = 0; n < verdicts; n += PART) {
      const events = Array.from({ length: Math.min(PART, verdicts - n) }, (_, i) => judged(n + i));
      await store.append(id, { id: `part-${n}`, events });
    }
  } finally {
    await store.close();
  }
}

/** From its own lock file. Answers with what starts it; null, and says so, where npm has it not. */
function installPeer(folder: string): string | null {
  const peer = join(folder, 'peer');
  cpSync(join(import.meta.dirname, 'peer'), peer, { recursive: true });
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: peer });
  if (status === 0) return join(peer, 'node_modules/cc-safety-net/dist/bin/cc-safety-net.js');
  process.stderr.write('guard: cc-safety-net could not be installed, and is left out\n');
  return null;
}

function measure(
  folder: string,
  bin: string,
  peer: string | null,
  homes: { small: string; large: string },
): Row[] {
  const cwd = join(folder, 'work');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, 'clean.sh'), 'rm -rf ../precious\n');
  const time = (args: string[], input: string, home = homes.small): number => {
    const env = { ...process.env, PLANWRIGHT_HOME: home, CC_SAFETY_NET_HOME: join(folder, 'net') };
    const start = performance.now();
    const { status } = spawnSync(process.execPath, args, {
      cwd,
      env,
      input,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const took = performance.now() - start;
    if (status !== 0) throw new Error(`${args.join(' ')} ended with exit code ${status}`);
    return took;
  };
  const told = (tool_name: string, tool_input: object) =>
    JSON.stringify({ session_id: 's', cwd, hook_event_name: 'PreToolUse', tool_name, tool_input });
  const hook = ([, tool, input]: (typeof kinds)[number], checkpoints = 'auto', home = homes.small) =>
    time([bin, 'guard', 'hook', 'claude-code', `--checkpoints=${checkpoints}`], told(tool, input), home);
  const [reads, changes, , deletes, edit] = kinds as [Kind, Kind, Kind, Kind, Kind];
  const peers: readonly Kind[] = peer === null ? [] : [reads, changes, deletes];
  const starts: [string, () => number][] = [
    ['node -e 0', () => time(['-e', '0'], '')],
    ...kinds.map((kind): [string, () => number] => [`guard: ${kind[0]}`, () => hook(kind)]),
    ['guard: an edit, with a checkpoint', () => hook(edit, 'on')],
    [`guard: ${changes[0]}, ${MANY} verdicts`, () => hook(changes, 'auto', homes.large)],
    ...peers.map(([what, tool, input]): [string, () => number] => [
      `cc-safety-net: ${what}`,
      () => time([peer ?? '', 'hook', '--claude-code'], told(tool, input)),
    ]),
  ];
  const times = starts.map(() => [] as number[]);
  // Twice before it counts: the first start writes the code cache.
  for (let round = -2; round < ROUNDS; round += 1)
    for (const [at, [, start]] of starts.entries()) {
      const ms = start();
      if (round >= 0) times[at]!.push(ms);
    }
  const medians = times.map(median);
  const target = Math.round(1.5 * (medians[0] ?? Number.NaN) + 30);
  return starts.map(([name], at): Row => {
    const row = { name, value: medians[at] ?? Number.NaN, unit: 'ms' } as const;
    return at > 0 && at <= kinds.length ? { ...row, target } : row;
  });
}
