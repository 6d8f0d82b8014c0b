import { expect, test } from 'vitest';
import { configKeys } from '../../core/contract/index.ts';
import { configFields } from './config-fields.ts';

const fields = configFields();

test('every setting says what it takes', () => {
  expect(Object.keys(fields)).toEqual(configKeys);
  expect(fields.mode).toMatchObject({ choices: ['teacher', 'planner', 'agentic'], number: null });
  expect(fields.concurrency).toMatchObject({ number: { least: 1, most: 64, whole: true }, nullable: false });
  expect(fields['step-timeout']).toMatchObject({ number: { least: 1, most: null }, nullable: true });
  expect(fields['limits.money'].number).toEqual({ least: 0, most: null, whole: false });
  expect(fields['models.explain'].choices).toEqual(['true', 'false']);
  expect(fields['models.brain']).toMatchObject({ choices: null, number: null, nullable: true });
  expect(fields['keep.days'].number?.most).toBe(36_500);
});

test('nothing that is said about a setting is said in JSON', () => {
  expect(Object.values(fields).filter(({ about }) => /\bnull\b/.test(about) || about === '')).toEqual([]);
});
