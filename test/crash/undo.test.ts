import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultOptions, type Step } from '../../src/core/contract/index.ts';
import { runHere } from '../support/cli.ts';
import type { Ended } from '../support/processes.ts';
import { someOf } from '../support/scale.ts';
import { someone } from '../support/someone.ts';
import { readTree } from '../undo/tree.ts';
import { openSite, resumeAndCheck, type Site } from './site.ts';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

/** The command line, in the site. */
const cli = (...args: string[]): Promise<Ended> =>
  runHere(args, site.workspace, { ...process.env, PLANWRIGHT_HOME: site.home, CI: '' });
const tree = () => Object.fromEntries(readTree(site.workspace));

describe('killed in the middle of a checkpoint', () => {
  // The first of a run, the one after its first step, and the one after its second.
  const deaths = ['scanned:1', 'recorded:1', 'staged:2', 'tree:2', 'indexed:2', 'written:2', 'recorded:3'];
  it.each(someOf(deaths, 3))('%s', async (death) => {
    writeFileSync(join(site.workspace, 'mine'), 'mine');
    const before = tree();
    const run = await site.newRun(4, { checkpoints: 'required' });
    const { signal } = await site.driver(run, death).ended;
    expect(signal, 'it died there').toBe('SIGKILL');
    await resumeAndCheck(site, run);
    const { ranges } = await site.app.runs.state(run);
    expect(new Set(ranges.map(({ stepId }) => stepId))).toEqual(new Set(['s1', 's2', 's3', 's4']));
    expect(ranges.every(({ after }) => after !== null)).toBe(true);
    // Of a step whose driver died nobody knows who else was there: it has to be named.
    const ended = await cli('undo', run, '--yes', '--overwrite-all');
    expect(ended.code, ended.stderr).toBe(0);
    expect(tree()).toEqual(before);
  });
});

describe('killed in the middle of an undo', () => {
  const deaths = ['recorded:1', 'temporary:1', 'renamed:3', 'recorded:2', 'after-work:2'];
  it.each(someOf(deaths, 3))('%s: it is said, and goes on where it was', async (death) => {
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) writeFileSync(join(site.workspace, name), `old ${name}`);
    const before = tree();
    const step: Step = {
      id: 's1',
      title: 'Change them',
      action: {
        kind: 'run-command',
        command: 'for f in a b c d; do echo new > $f; done; mkdir e; echo x > e/f',
      },
    };
    const plan = { goal: 'change', shell: 'bash' as const, steps: [step], revision: 0 };
    const options = { ...defaultOptions, checkpoints: 'required' as const };
    const { workspace } = site.app;
    const run = await site.app.runs.create({ plan, workspace, options, agreed: someone });
    await site.goOn(run);
    const after = tree();
    const { by } = await site.app.runs.undo(run, { options, agreed: someone });
    expect((await site.driver(by!, death).ended).signal, 'it died there').toBe('SIGKILL');

    const half = await site.app.runs.state(by!);
    expect(half.ended).toBe(false);
    if (JSON.stringify(tree()) !== JSON.stringify(after)) {
      expect(half.inFlight?.stepId, 'what is half restored is known to be').toBe('restore');
      expect(half.ranges.at(-1)?.before, 'and can be taken back').toBeDefined();
    }
    const resumed = await cli('resume', by!);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(tree()).toEqual(before);
    expect((await site.app.runs.state(by!)).status).toBe('done');
    const again = await cli('undo', by!, '--yes', '--overwrite-all');
    expect(again.code, again.stderr).toBe(0);
    expect(tree(), 'the undo is undone').toEqual(after);
  });

  it('a rollback too', async () => {
    mkdirSync(join(site.workspace, 'd'));
    for (const name of ['a', 'b', 'd/c']) writeFileSync(join(site.workspace, name), 'old');
    const before = tree();
    const step: Step = {
      id: 's1',
      title: 'Fail',
      action: { kind: 'run-command', command: 'for f in a b d/c; do echo new > $f; done; touch e; exit 3' },
    };
    const options = { ...defaultOptions, checkpoints: 'required', onFailure: 'rollback' } as const;
    const plan = { goal: 'fail', shell: 'bash' as const, steps: [step], revision: 0 };
    const { workspace } = site.app;
    const run = await site.app.runs.create({ plan, workspace, options, agreed: someone });
    expect((await site.driver(run, 'renamed:2').ended).signal).toBe('SIGKILL');
    expect(await site.app.runs.state(run)).toMatchObject({ ended: false, rollback: { done: false } });
    expect((await cli('resume', run)).code).toBe(1);
    expect(tree()).toEqual(before);
    expect(await site.app.runs.state(run)).toMatchObject({ status: 'failed', stopReason: 'rolled-back' });
    expect(existsSync(join(site.workspace, 'e'))).toBe(false);
    expect(readFileSync(join(site.workspace, 'a'), 'utf8')).toBe('old');
  });
});
