import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { extractJson } from '../../src/world/models/index.ts';

const file = fileURLToPath(new URL('../../../shared/corpora/model-outputs.json', import.meta.url));
const isHere = existsSync(file);
if (!isHere) console.warn(`the answers of real models are not here (${file}): what needs them is skipped`);

/** From the first brace to the last: of these answers, that is the JSON. */
const within = (raw: string): string => raw.slice(raw.indexOf('{'), raw.lastIndexOf('}') + 1);

test.skipIf(!isHere)(
  'every valid answer of a real model is read, and every other is read or rejected with a reason',
  () => {
    const { outputs } = JSON.parse(readFileSync(file, 'utf8')) as {
      outputs: { raw: string; valid: boolean }[];
    };
    const read = outputs.map(({ raw, valid }) => ({ valid, extracted: extractJson(raw) }));
    expect(read.filter(({ valid, extracted }) => valid && !extracted.ok)).toEqual([]);
    for (const { raw, valid } of outputs) {
      if (valid) expect(extractJson(raw)).toMatchObject({ ok: true, value: JSON.parse(within(raw)) });
    }
    const malformed = read.filter(({ valid }) => !valid);
    expect(malformed.length).toBeGreaterThan(10);
    for (const { extracted } of malformed) if (!extracted.ok) expect(extracted.reason).not.toBe('');
    expect(malformed.filter(({ extracted }) => extracted.ok).length / malformed.length).toBeGreaterThan(0.9);
  },
);
