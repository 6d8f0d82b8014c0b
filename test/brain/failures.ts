import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { World } from './world.ts';

/** A failed command with what it said: one example of a rule. The files are in failures/, one a family. */
export interface FailedExample {
  /** The rule that speaks, or that must not. */
  readonly rule: string;
  readonly command: string;
  /** What makes the folder in which it fails. Absent: the tool cannot be made to say it here; the text is its own. */
  readonly setup?: string;
  readonly output: string;
  readonly exitCode: number;
  /** Commands joined by `&&`, `RETRY`, or null where the rule declines. */
  readonly mends: string | null;
  /** Whether the folder is looked at; with `setup`, recapturing writes down what is there. */
  readonly looks?: boolean;
  readonly world?: World;
  /** The tool and version that said it, where it was captured. */
  readonly captured?: string;
}

export const failuresFolder = join(import.meta.dirname, 'failures');

export function readFailures(): Map<string, FailedExample[]> {
  const files = globSync('*.json', { cwd: failuresFolder }).sort();
  return new Map(
    files.map((file) => [
      basename(file, '.json'),
      JSON.parse(readFileSync(join(failuresFolder, file), 'utf8')) as FailedExample[],
    ]),
  );
}

export function writeFailures(family: string, examples: readonly FailedExample[]): void {
  writeFileSync(join(failuresFolder, `${family}.json`), `${JSON.stringify(examples, null, 2)}\n`);
}
