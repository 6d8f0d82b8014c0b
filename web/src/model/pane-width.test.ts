import { expect, test } from 'vitest';
import { spineWidth } from './pane-width.ts';

test('neither side can be dragged away', () => {
  expect(spineWidth(500.4, 1440)).toBe(500);
  expect(spineWidth(10, 1440)).toBe(240);
  expect(spineWidth(5000, 1000)).toBe(700);
});
