import { expect, test } from 'vitest';
import { agreementWords } from './agreeing.ts';

test('the question names a dangerous script by its first command and its length, on one line', () => {
  const script = '# get it\ngit clone https://example.org/x.git\ncd x\n./install.sh\n';
  expect(agreementWords(5, '/w', [script, 'rm -rf out'])).toBe(
    'Run 5 steps in /w, including 2 dangerous steps: git clone https://example.org/x.git … (3 lines), rm -rf out?',
  );
});
