import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rules } from '../../src/mind/brain/index.ts';

test('docs/brain.md lists the rules as they are', () => {
  const page = readFileSync(new URL('../../docs/brain.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, id, about]) => [id, about]);
  expect(rows).toEqual(rules.map(({ id, about }) => [id, about.replaceAll('|', '\\|')]));
});
