import { describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';
import { broken, FIRST, one } from './worlds.ts';

describe.runIf(one === undefined)('a planted bug is found', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (_name, mutant) => {
    let found: string | null = null;
    for (let seed = FIRST; found === null && seed < FIRST + 6000; seed += 1)
      found = await broken(seed, mutant);
    expect(found).not.toBeNull();
  });
});

describe.runIf(one !== undefined)('one world alone', () => {
  it(`seed ${one}`, async () => {
    expect(await broken(Number(one))).toBeNull();
  });
});
