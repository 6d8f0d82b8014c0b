import { describe, it } from 'vitest';
import { lengthy } from '../support/scale.ts';
import { FIRST, manyWorlds, one, WORLDS } from './worlds.ts';

describe.runIf(one === undefined)('the promises hold in random worlds', () => {
  it(`in the even ones of ${WORLDS}, which reach every event and every effect`, lengthy, async () => {
    await manyWorlds(FIRST + 1, 2);
  });
});
