import { expect, test } from 'vitest';
import { budgetsOf } from './budgets.ts';
import { Told } from './testing.ts';

test('budgets are shown where they bind', () => {
  expect(budgetsOf(new Told([{ title: 'a' }]).state)).toEqual([]);
  const told = new Told([{ title: 'a' }], { mode: 'agentic' }).failed('s1').mend('s1', 0, ['x']);
  expect(budgetsOf(told.state).map(({ name, text }) => `${name} ${text}`)).toEqual([
    'corrections 1 / 10',
    'added steps 1 / 10',
    'spent $0.00 / $2.00',
  ]);
});
