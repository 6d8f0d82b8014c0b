import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { offersFor } from './offers.ts';

test('what works without a model is what can be said right there, where it can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pw-offers-'));
  try {
    writeFileSync(join(folder, 'README.md'), '# P\n');
    const offers = offersFor('Count the lines of code here', folder);
    expect(offers).toContain('- README.md of this folder: say `/run README.md`');
    expect(offers).toContain('`planwright templates run count-lines`, or a new run on the page');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
