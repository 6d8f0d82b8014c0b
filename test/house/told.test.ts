import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FailureWhy, StopReason } from '../../src/core/contract/index.ts';
import * as told from '../../src/core/contract/told/index.ts';
import { failureNote, stopWords } from '../../src/core/contract/told/reasons.ts';

const root = join(import.meta.dirname, '../..');
const isTest = /\.test\.ts$|\/testing(\.ts|\/)/;
const doors = ['src/doors/**/*.ts', 'web/src/**/*.{ts,tsx}']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  // What demo/sample.ts holds is the program of a sample, not ours.
  .filter((file) => !isTest.test(file) && !file.endsWith('demo/sample.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Files that say this text in quotes, whole or as the beginning or end of something longer. */
const saying = (words: string) =>
  doors
    .filter(({ text }) =>
      [`'${words}`, `"${words}`, `\`${words}`, `${words}'`, `${words}\``, `>${words}<`].some((quoted) =>
        text.includes(quoted),
      ),
    )
    .map(({ file }) => file);

test('no door words why a run stopped', () => {
  const worded = StopReason.options.map((reason) => stopWords(reason, { step: 'step 3' }));
  // What follows the step, or all of it; a single word is no wording.
  const words = worded
    .map((sentence) => sentence.replace(/^Step 3 /, ''))
    .filter((text) => text.includes(' '));
  expect(words.length).toBeGreaterThan(10);
  expect(words.flatMap((text) => saying(text))).toEqual([]);
  const tables = doors.filter(({ text }) => /Record<(?:StopReason|FailureWhy)\b[^>]*, string>/.test(text));
  expect(tables.map(({ file }) => file)).toEqual([]);
});

test('no door words how a step failed', () => {
  const words = FailureWhy.options.map((why) => failureNote({ why, exitCode: 17, signal: 'SIGKILL' }));
  expect(words.filter((text) => text.includes(' ')).flatMap((text) => saying(text))).toEqual([]);
});

test('no door tells what is told already', () => {
  expect(Object.keys(told).length).toBeGreaterThan(30);
  const again = Object.keys(told).flatMap((name) => {
    const made = new RegExp(`(?:function ${name}\\b|const ${name} = (?:async )?\\()`);
    return doors.filter(({ text }) => made.test(text)).map(({ file }) => `${name} in ${file}`);
  });
  expect(again).toEqual([]);
});
