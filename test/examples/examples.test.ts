import { cpSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ApprovalState } from '../../src/core/contract/index.ts';
import { printAction } from '../../src/core/plan/index.ts';
import { type Bench, openBench } from '../support/cli.ts';
import { type Ended, processesOf } from '../support/processes.ts';
import { type Example, examples, folderAt } from './catalogue.ts';

/** What people really write, run to the end for real, by the program, in a folder of its own. */

const root = fileURLToPath(new URL('../../examples/', import.meta.url));

async function inCopyOf<T>(folder: string, work: (bench: Bench) => Promise<T>): Promise<T> {
  const bench = openBench({ here: true });
  try {
    cpSync(`${root}/${folder}`, bench.workspace, { recursive: true });
    return await work(bench);
  } catch (error) {
    // Services outlive a run that only rests.
    await bench.run(['cancel']);
    throw error;
  } finally {
    bench.clean();
  }
}

async function argumentsOf({ file, args = [] }: Example): Promise<string[]> {
  const port = args.some((arg) => arg.includes('{port}')) ? await freePort() : '';
  return ['run', file, ...args.map((arg) => arg.replace('{port}', port))];
}

const freePort = () =>
  new Promise<string>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      server.close(() => resolve(String(port)));
    });
  });

interface Approved {
  ended: Ended;
  /** What was approved, in its order. */
  approved: string[];
  /** Codes of what was said against the plan. */
  warnings: string[];
}

/** Approves as a person does in another terminal: looks at what waits, and says yes to exactly that. */
async function runToEnd(bench: Bench, args: string[]): Promise<Approved> {
  const approved: string[] = [];
  let ended = await bench.run([...args, '--on-ask', 'park']);
  const warnings = warningsIn(ended.stderr);
  while (ended.code === 3) {
    const [waiting] = JSON.parse((await bench.run(['waiting', '--json'])).stdout);
    const approval = waiting?.approval as ApprovalState | null | undefined;
    if (!approval) throw new Error(`it waits for something else:\n${ended.stderr}`);
    approved.push(textOf(approval));
    ended = await bench.run(['approve', waiting.run, '--id', approval.id]);
  }
  return { ended, approved, warnings };
}

function textOf({ subject: { action } }: ApprovalState): string {
  if (action.kind === 'run-command') return action.command;
  return action.kind === 'run-script' ? action.script : printAction(action);
}

const warningsIn = (text: string) => [...text.matchAll(/ warning\[([a-z-]+)\]/g)].map(([, code]) => code!);

async function check(example: Example): Promise<void> {
  await inCopyOf(example.folder, async (bench) => {
    const args = await argumentsOf(example);
    const { ended, approved, warnings } = await runToEnd(bench, args);
    expect(ended.code, ended.stderr).toBe(0);
    expect(warnings.filter((code) => !example.warns?.includes(code))).toEqual([]);
    expect(approved).toEqual((example.approves ?? []).map((pattern) => expect.stringMatching(pattern)));
    example.check(folderAt(bench.workspace));

    const [run, ...others] = JSON.parse((await bench.run(['runs', '--json'])).stdout);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ state: 'done', stopReason: 'completed' });
    expect(processesOf(run.id)).toEqual([]);
  });
}

describe.concurrent('every example runs to its end', () => {
  it.each(examples)('$folder/$file', check);
});

describe.concurrent('with nobody to ask, a dangerous step stops it', () => {
  const dangerous = examples.filter(({ approves }) => approves !== undefined);
  it.each(dangerous)('$folder/$file', (example) =>
    inCopyOf(example.folder, async (bench) => {
      const ended = await bench.run(await argumentsOf(example));
      expect(ended.code, ended.stderr).toBe(3);
      const [run] = JSON.parse((await bench.run(['runs', '--json'])).stdout);
      expect(run).toMatchObject({ state: 'paused', stopReason: 'approval-needed' });
    }),
  );
});

it('every folder of examples is in the catalogue', () => {
  const folders = readdirSync(root).filter((name) => name !== 'demo');
  expect(folders).toEqual(examples.map(({ folder }) => folder).toSorted());
});
