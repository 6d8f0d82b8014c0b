import { expect, test } from 'vitest';
import { judge } from '../../bench/row.ts';

const row = (value: number, unit: string, target?: number | string | null) => ({
  name: 'x',
  value,
  unit,
  ...(target === undefined ? {} : { target }),
});

test('a target that is missed is not shown as met, whichever way it points', () => {
  expect(judge(row(602, 'steps/s', 1900))).toEqual({ target: '>= 1900', isMet: false });
  expect(judge(row(2000, 'steps/s', 1900))?.isMet).toBe(true);
  expect(judge(row(1.6, '×', 1.5))).toEqual({ target: '<= 1.5', isMet: false });
  expect(judge(row(89, '%', '>= 90'))?.isMet).toBe(false);
  expect(judge(row(100, 'ms', '< 100'))?.isMet).toBe(false);
  expect(judge(row(1, 'ms'))).toBeNull();
  expect(judge(row(1, 'ms', null))).toBeNull();
  expect(() => judge(row(1, 'ms', 'fast'))).toThrow('a target reads like');
});
