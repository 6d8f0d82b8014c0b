import { expect, it } from 'vitest';
import { normalise } from './paths.ts';

/** Part by part, without any short cut. */
function partByPart(path: string): string {
  if (path === '') return '';
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (part === '..' && rooted) continue;
    else kept.push(part);
  }
  return (rooted ? '/' : '') + kept.join('/') || (rooted ? '/' : '.');
}

it('a path is the same with the short cut as without it', () => {
  const parts = ['', '.', '..', '...', 'a', '.b', 'c.d', '~', 'e\n', ' '];
  let paths = parts;
  for (let length = 1; length < 5; length += 1) {
    for (const path of paths) expect(normalise(path)).toBe(partByPart(path));
    paths = length === 4 ? [] : paths.flatMap((path) => parts.map((part) => `${path}/${part}`));
  }
});
