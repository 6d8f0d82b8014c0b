import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { type Ended, processesOf } from '../support/processes.ts';
import { howLong } from '../support/scale.ts';

let bench: Bench;
beforeEach(() => {
  bench = openBench({ here: true });
});
afterEach(() => bench.clean());

/** Kept locked from the beginning, for a run that is started then: it waits for long, and the others need not wait for it. */
let locked: { bench: Bench; db: DatabaseSync; ended: Promise<Ended> };
beforeAll(async () => {
  const its = openBench({ here: true });
  its.write('plan.yaml', planOf('touch ran'));
  await its.run(['runs']);
  const db = new DatabaseSync(`${its.home}/data/planwright.db`);
  db.exec('BEGIN EXCLUSIVE');
  locked = { bench: its, db, ended: its.start(['run', 'plan.yaml']).ended };
});
afterAll(async () => {
  await locked.ended;
  locked.bench.clean();
});

const rows = async () => JSON.parse((await bench.run(['runs', '--json'])).stdout);

describe('a file that is no plan gets a clear result, and nothing runs', () => {
  const bomb = `goal: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\nplan: [*d,*d,*d,*d,*d,*d,*d]\n`;
  it.each([
    ['empty', ''],
    ['not YAML', 'goal: [unclosed\nplan: {'],
    ['not a mapping', '- just\n- a list\n'],
    ['no steps', 'goal: g\nplan: []\n'],
    ['an unknown key', 'goal: g\nplan:\n- {step: a, action: RUN_COMMAND true, colour: red}\n'],
    ['an unknown action', 'goal: g\nplan:\n- {step: a, action: FLY_AWAY now}\n'],
    [
      'a step after one that is not there',
      'goal: g\nplan:\n- {step: a, action: RUN_COMMAND true, after: [7]}\n',
    ],
    ['an alias bomb', bomb],
    ['binary', Uint8Array.from({ length: 4096 }, (_, n) => (n * 7919) & 255)],
  ])('%s', async (_name, content) => {
    bench.write('plan.yaml', content);
    const ended = await bench.run(['run', 'plan.yaml']);
    expect(ended.code, ended.stderr).toBe(2);
    expect(ended.stderr).toMatch(/plan\.yaml/);
    expect(ended.stderr).not.toContain('should not have happened');
    expect(await rows()).toEqual([]);
  });

  it('a path that does not exist, and a folder', async () => {
    expect((await bench.run(['run', './nowhere.yaml'])).stderr).toContain('there is no file ./nowhere.yaml');
    mkdirSync(bench.path('folder'));
    expect((await bench.run(['run', 'folder'])).code).toBe(2);
  });

  it('a plan of 10 MB: in seconds, with a clear result', async () => {
    const steps = Array.from({ length: 9000 }, (_, n) => ({
      step: `Step ${n + 1}`,
      action: `RUN_COMMAND echo ${'x'.repeat(1080)}`,
    }));
    const text = JSON.stringify({ goal: 'large', plan: steps });
    expect(text.length).toBeGreaterThan(10_000_000);
    bench.write('plan.json', text);
    const ended = await bench.run(['plan', 'validate', 'plan.json', '--json']);
    expect([0, 2]).toContain(ended.code);
    expect(JSON.parse(ended.stdout)).toHaveProperty('ok', ended.code === 0);
  });
});

describe('a home where nothing can be kept', () => {
  // Below /proc no folder can be made, whoever asks; the other is a file.
  it.each(['/proc', '/dev/null'])('%s: what needs none works, the rest says so in one line', async (home) => {
    const env = {
      HOME: home,
      PLANWRIGHT_HOME: '',
      XDG_CONFIG_HOME: '',
      XDG_DATA_HOME: '',
      XDG_CACHE_HOME: '',
    };
    const [listed, judged] = await Promise.all([bench.run(['runs'], env), bench.run(['risk', 'ls'], env)]);
    expect(judged).toMatchObject({ code: 0 });
    expect(listed.code).toBe(1);
    expect(listed.stderr).toMatch(
      /^planwright: .* cannot be made\. Choose another folder with PLANWRIGHT_HOME\.\n$/,
    );
  });
});

describe('a command that misbehaves', () => {
  it('a grandchild that holds stdout does not hold up the run, and ends with it', async () => {
    bench.write('back.sh', 'sleep 120 &\necho started\n');
    bench.write('plan.yaml', planOf('sh back.sh', 'echo two'));
    const ended = await bench.run(['run', 'plan.yaml']);
    expect(ended).toMatchObject({ code: 0, stdout: 'started\ntwo\n' });
    expect(processesOf((await rows())[0].id)).toEqual([]);
  });

  const many = howLong(100_000_000);
  it(`${many} bytes of output: head and tail are kept, memory is not filled`, async () => {
    bench.write('plan.yaml', planOf(`head -c ${many} /dev/zero | tr "\\\\0" x; echo; echo the end`));
    const ended = await bench.run(['run', 'plan.yaml', '--json']);
    expect(ended.code).toBe(0);
    const { stdout } = await bench.run(['logs']);
    expect(stdout.length).toBeLessThan(5.3e6);
    expect(stdout).toContain('[output truncated]');
    expect(stdout.endsWith('the end\n')).toBe(true);
  });

  it('one that ignores SIGTERM is ended all the same when its time is up', async () => {
    bench.write(
      'plan.yaml',
      `goal: g\nplan:\n- step: stubborn\n  timeout: 1s\n  action: RUN_COMMAND trap "" TERM; while true; do sleep 1; done\n`,
    );
    const ended = await bench.run(['run', 'plan.yaml'], { PLANWRIGHT_KILL_GRACE: '0.2' });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('timed out');
    expect(processesOf((await rows())[0].id)).toEqual([]);
  });
});

describe('a store that cannot be used is refused with a sentence, and left as it is', () => {
  const expectRefused = (at: Bench, { code, stderr }: Ended, expected: RegExp) => {
    expect(code, stderr).not.toBe(0);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain('should not have happened');
    expect(existsSync(at.path('ran'))).toBe(false);
  };
  const refused = async (expected: RegExp) => {
    bench.write('plan.yaml', planOf('touch ran'));
    expectRefused(bench, await bench.run(['run', 'plan.yaml']), expected);
  };

  it('a corrupt one', async () => {
    mkdirSync(`${bench.home}/data`, { recursive: true });
    const garbage = 'this is no database, and it is somebody’s only copy\n'.repeat(200);
    writeFileSync(`${bench.home}/data/planwright.db`, garbage);
    await refused(/not a database|damaged|corrupt/i);
    expect(readFileSync(`${bench.home}/data/planwright.db`, 'utf8')).toBe(garbage);
  });

  it('one of a newer version', async () => {
    await bench.run(['runs']);
    const db = new DatabaseSync(`${bench.home}/data/planwright.db`);
    db.exec('PRAGMA user_version = 999');
    db.close();
    await refused(/newer|later version/i);
  });

  it('one of a version that was never released', async () => {
    await bench.run(['runs']);
    const db = new DatabaseSync(`${bench.home}/data/planwright.db`);
    db.exec('ALTER TABLE streams DROP COLUMN ids');
    db.close();
    await refused(/data\/planwright\.db was written by a version .* never released.*PLANWRIGHT_HOME/);
  });

  it('one on a full disk: what was there before is still there', async () => {
    bench.write('plan.yaml', planOf('head -c 3000000 /dev/zero | tr "\\\\0" x', 'echo two'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', bench.home]);
    try {
      // By processes of their own: a claim that could not be given back ends with the one that has it, or half a minute later.
      const ended = await bench.start(['run', 'plan.yaml']).ended;
      expect(ended.stderr).toMatch(/full|no space|incomplete/i);
      expect(ended.stderr).not.toContain('should not have happened');
      execFileSync('mount', ['-o', 'remount,size=30m', bench.home]);
      expect(await rows()).toHaveLength(1);
      expect((await bench.run(['resume', '--on-interrupt', 'rerun'])).code).not.toBe(3);
    } finally {
      execFileSync('umount', [bench.home]);
    }
  });

  it('one that may only be read', async () => {
    await bench.run(['runs']);
    execFileSync('mount', ['--bind', bench.home, bench.home]);
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', bench.home]);
      await refused(/read|written/i);
    } finally {
      execFileSync('umount', [bench.home]);
    }
    chmodSync(bench.home, 0o700);
  });

  it('one that another process keeps locked', async () => {
    const { bench: its, db, ended } = locked;
    expectRefused(its, await ended, /locked|another process/i);
    db.exec('ROLLBACK');
    db.close();
    expect((await its.run(['run', 'plan.yaml'])).code).toBe(0);
  });
});
