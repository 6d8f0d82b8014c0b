import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../src/counted.js';

test('one of them', () => equal(counted(1, 'berry'), '1 berry'));
test('several of them', () => equal(counted(3, 'berry'), '3 berries'));
test('none of them', () => equal(counted(0, 'box'), '0 boxes'));
