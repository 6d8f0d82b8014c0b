import { expect, test } from 'vitest';
import { budgetsOf } from './budgets.ts';
import { Told } from './testing.ts';

test('a hint allows for one more correction, and what the gate refused counts for none', () => {
  const told = new Told([{ title: 'a' }], { mode: 'agentic' }).failed('s1').mend('s1', 0, ['x']);
  told.tell({ type: 'hint-given', stepId: 's1', text: 'the port is taken', answers: 9 });
  expect(budgetsOf(told.state)[0]).toMatchObject({ name: 'corrections', text: '1 / 11' });
  told.tell({ type: 'correction-refused', correctionId: 'c1', code: 'blocked', message: 'no' });
  expect(budgetsOf(told.state)[0]).toMatchObject({ name: 'corrections', text: '0 / 11' });
});

test('budgets are shown where they bind', () => {
  expect(budgetsOf(new Told([{ title: 'a' }]).state)).toEqual([]);
  const told = new Told([{ title: 'a' }], { mode: 'agentic' }).failed('s1').mend('s1', 0, ['x']);
  expect(budgetsOf(told.state).map(({ name, text }) => `${name} ${text}`)).toEqual([
    'corrections 1 / 10',
    'added steps 1 / 10',
    'spent $0.00 / $2.00',
  ]);
});
