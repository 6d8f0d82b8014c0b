import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, test } from 'vitest';
import { checkDemo, makeDemo, takePort } from '../../src/doors/app/demo/make.ts';
import type { DemoNames } from '../../src/doors/app/demo/sample.ts';
import { openBench } from '../support/cli.ts';
import { inTerminal, sitDown } from '../terminal/terminal.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = (length: number): string =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');

const made = (port: number): DemoNames => ({
  notes: `n${word(7)}`,
  site: `s${word(7)}`,
  drafts: `d${word(7)}`,
  renderer: `r${word(7)}`,
  library: `l${word(7)}`,
  misspelt: ['gerp', 'grpe', 'grpe'][Math.floor(Math.random() * 3)]!,
  port,
  titles: [`T${word(6)}`, `T${word(6)}`, `T${word(6)}`],
});

test('the brain does not know the demo: other names and another port are mended as well', async () => {
  const taken = await takePort(0);
  const names = made(taken.port);
  const bench = openBench({ here: true });
  onTestFinished(() => {
    taken.release();
    bench.clean();
  });
  makeDemo(bench.workspace, names);
  const first = await bench.run(['run', 'RUNBOOK.md', '--yes', '--on-ask', 'deny']);
  expect(first.stderr, JSON.stringify(names)).toContain('approval-denied');
  expect(existsSync(bench.path(`${names.drafts}/idea.md`))).toBe(true);
  await bench.run(['skip']);
  const last = await bench.run(['resume', '--on-ask', 'deny']);
  expect(last.code, JSON.stringify(names) + first.stderr + last.stderr).toBe(0);
  expect(checkDemo(bench.workspace, names)).toEqual([]);
  expect(existsSync(bench.path(`${names.drafts}.old/idea.md`))).toBe(true);
  const story = JSON.parse((await bench.run(['memory', '--json'])).stdout) as { scope: string }[];
  expect(story.filter(({ scope }) => scope === 'workspace').length).toBeGreaterThan(1);
});

test('of two samples side by side each has a port of its own that is taken: the other may let go of its', async () => {
  const first = await takePort(0);
  const second = await takePort(first.port);
  onTestFinished(() => {
    for (const { release } of [first, second]) release();
  });
  expect(second.port).not.toBe(first.port);
  const third = await takePort(second.port);
  expect([first.port, second.port]).not.toContain(third.port);
  third.release();
});

/** Where the demo makes its folder. */
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-demos-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

inTerminal('the demo at a terminal', () => {
  it('asks once, and deletes the drafts when it may', async (at) => {
    const desk = sitDown(at, { rows: 50, env: { TMPDIR: temporary() } });
    desk.type('demo');
    await desk.pane.until(/is dangerous: Delete the drafts[\s\S]*:$/);
    desk.pane.send('a');
    const { code, screen } = await desk.ended();
    expect(code, screen).toBe(0);
    expect(screen).toContain('5 steps failed and were mended');
    // What it tells to type next can be typed.
    expect(screen.replaceAll('\n', '')).toMatch(/here planwright is \S+ \S+planwright\.js/);
  });

  it('takes no for an answer, and puts them aside', async (at) => {
    const desk = sitDown(at, { rows: 60, env: { TMPDIR: temporary() } });
    desk.type('demo');
    await desk.pane.until(/is dangerous: Delete the drafts[\s\S]*:$/);
    desk.pane.send('Enter');
    const { code, screen } = await desk.ended();
    expect(code, screen).toBe(0);
    expect(screen).toMatch(/–\s+7\s+Delete the drafts\s+skipped on request/);
  });
});
