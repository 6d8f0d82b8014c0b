import { expect, test } from 'vitest';
import { dialectsOf } from './dialect.ts';

test('a server that is not OpenAI is spoken to plainly first, and as OpenAI wants it where it does not take that', () => {
  expect(dialectsOf('openai', 'https://api.openai.com/v1')).toEqual(['responses']);
  for (const url of [
    'http://127.0.0.1:8080/v1',
    'https://models.example/v1',
    'https://api.openai.com.evil.example/v1',
  ])
    expect(dialectsOf('openai', url)).toEqual(['plain', 'openai']);
  expect(dialectsOf('compatible', 'http://127.0.0.1:1/v1')).toEqual(['plain']);
});
