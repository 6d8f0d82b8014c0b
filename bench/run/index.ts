import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stagePackage } from '../../scripts/stage-package.ts';
import { median, type Row } from '../row.ts';

const SIZES = [100, 1000, 3000];
const STARTS = 15;
const FILES = 50_000;

/** Whole runs of the package as it is installed, from the start of the first step to the end of the last. */
export async function benchRun(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  try {
    const installed = join(folder, 'planwright');
    await stagePackage(installed);
    const at = { folder, bin: join(installed, 'bin/planwright.js') };
    return [...safeSteps(at), ...starts(at), ...cautionSteps(at), ...largeFolder(at)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface At {
  folder: string;
  bin: string;
}

/** A bare spawn of the same bash, in milliseconds. */
function bareSpawn(): number {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'bare/spawns.ts'), '100'], {
    encoding: 'utf8',
  });
  return Number(stdout);
}

function safeSteps(at: At): Row[] {
  const rows: Row[] = [];
  for (const size of SIZES) {
    const before = bareSpawn();
    const took = ran(
      at,
      'safe',
      Array.from({ length: size }, () => 'true'),
    );
    const bare = (before + bareSpawn()) / 2;
    const step = took.ms / size;
    rows.push({
      name: `RUN_COMMAND true, ${size.toLocaleString('en')} of them, against bare spawns`,
      value: bare / step,
      unit: '×',
      target: '>= 0.5',
      note: `${step.toFixed(1)} ms a step, a bare spawn of bash ${bare.toFixed(1)} ms`,
    });
  }
  return rows;
}

/** A run of one step as a whole, beside a process that does nothing, in turn. */
function starts(at: At): Row[] {
  const workspace = join(at.folder, 'start');
  mkdirSync(workspace);
  const plan = join(at.folder, 'start.json');
  writeFileSync(plan, JSON.stringify({ goal: 'start', plan: [{ step: 's', action: 'RUN_COMMAND true' }] }));
  const node = (...args: string[]) =>
    timed(() => {
      const { status } = spawnSync(process.execPath, args, {
        cwd: workspace,
        env: envOf(at),
        stdio: 'ignore',
      });
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
    });
  const run = () => node(at.bin, 'run', plan, '--yes', '--on-ask', 'fail');
  run();
  const times = Array.from({ length: STARTS }, () => ({ bare: node('-e', '0'), run: run() }));
  const bare = median(times.map((each) => each.bare));
  return [
    {
      name: 'a run of one step, beyond `node -e 0`',
      value: median(times.map((each) => each.run - each.bare)) / 1000,
      unit: 's',
      target: 0.25,
      note: `${bare.toFixed(0)} ms for nothing; the median of ${STARTS}, taken in turn`,
    },
  ];
}

/** Every second step is kept by checkpoints; each kind is timed by itself. */
function cautionSteps(at: At): Row[] {
  const commands = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'true' : `echo ${n} > file-${n}`));
  const { gaps } = ran(at, 'caution', commands);
  // From one start to the next: with the checkpoint that comes after it, and the one before it.
  const caution = median(gaps.filter((_, n) => n % 2 === 1)) + median(gaps.filter((_, n) => n % 2 === 0));
  const safe = median(
    ran(
      at,
      'safe',
      commands.map(() => 'true'),
    ).gaps,
  );
  return [
    {
      name: 'a step that changes something, beyond one that does not',
      value: caution - 2 * safe,
      unit: 'ms',
      target: 10,
    },
  ];
}

/** Nothing changes in it, but for one file that only its content tells. */
function largeFolder(at: At): Row[] {
  const workspace = join(at.folder, 'large');
  for (let n = 0; n < FILES; n += 1) {
    if (n % 500 === 0) mkdirSync(join(workspace, `d${n / 500}`), { recursive: true });
    writeFileSync(join(workspace, `d${Math.floor(n / 500)}`, `f${n}.txt`), `${n}\n`);
  }
  const git = (...args: string[]) => {
    const { status } = spawnSync('git', args, { cwd: workspace, stdio: 'ignore' });
    if (status !== 0) throw new Error(`git ${args.join(' ')} ended with ${status}`);
  };
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=n', '-c', 'user.email=e@e.example', 'commit', '-qm', 'all');
  const status = median(Array.from({ length: 7 }, () => timed(() => git('status', '--porcelain'))));
  // The same length, and by its stamps as old as before.
  const planted = 'touch -r d0/f0.txt .stamp && printf "9\\n" > d0/f0.txt && touch -r .stamp d0/f0.txt';
  const idle = 'perl -e 1';
  const { gaps, id } = ran(at, 'large', [idle, idle, idle, idle, idle, idle, planted, idle, idle]);
  const undo = spawnSync(process.execPath, [at.bin, 'undo', id, '--dry-run', '--json'], {
    cwd: workspace,
    env: envOf(at),
    encoding: 'utf8',
  });
  if (!undo.stdout.includes('d0/f0.txt')) throw new Error('the planted change was missed');
  const step = median(gaps.slice(1, 5));
  return [
    {
      name: `a step that might change something, in ${FILES.toLocaleString('en')} files, against git status there`,
      value: step / status,
      unit: '×',
      target: 1.5,
      note: `${step.toFixed(0)} and ${status.toFixed(0)} ms`,
    },
  ];
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const envOf = ({ folder }: At) => ({
  ...process.env,
  CI: 'true',
  PLANWRIGHT_HOME: join(folder, 'home'),
});

interface Told {
  run: string;
  type: string;
  at: number;
}

/** `ms`: from the first start to the last end. `gaps`: from each start to the next. */
function ran(at: At, name: string, commands: readonly string[]): { ms: number; gaps: number[]; id: string } {
  const workspace = join(at.folder, name);
  mkdirSync(workspace, { recursive: true });
  const plan = join(at.folder, `${name}.json`);
  const steps = commands.map((command, n) => ({ step: `s${n + 1}`, action: `RUN_COMMAND ${command}` }));
  writeFileSync(plan, JSON.stringify({ goal: name, plan: steps }));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [at.bin, 'run', plan, '--yes', '--json', '--on-ask', 'fail'],
    { cwd: workspace, env: envOf(at), encoding: 'utf8', maxBuffer: 1 << 30 },
  );
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(-500)}`);
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Told);
  const of = (type: string) => events.filter((event) => event.type === type).map((event) => event.at);
  const starts = of('step-started');
  return {
    ms: of('step-completed').at(-1)! - starts[0]!,
    gaps: starts.slice(1).map((time, n) => time - starts[n]!),
    id: events[0]!.run,
  };
}
