import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretFilter, findSecretLiteral, secretValues } from './index.ts';

const filter = createSecretFilter({ values: ['hunter2-hunter2', 'two words secret', 'ünïcode-välue'] });
const fake = (prefix: string, length: number): string =>
  prefix + 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'.repeat(20).slice(0, length);
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${fake('MII', 60)}\n`.repeat(5)}-----END RSA PRIVATE KEY-----`;

const secrets: readonly string[] = [
  fake('ghp_', 36),
  fake('github_pat_', 60),
  fake('glpat-', 20),
  `AKIA${'ABCD1234'.repeat(2)}`,
  fake('AIza', 35),
  fake('sk-proj-', 48),
  fake('sk-ant-api03-', 60),
  fake('xoxb-', 40),
  fake('sk_live_', 24),
  fake('npm_', 36),
  fake('hf_', 34),
  `eyJ${fake('', 30)}.${fake('', 40)}.${fake('', 30)}`,
  fake('SG.', 22) + fake('.', 43),
  fake('dop_v1_', 0) + 'a1b2c3d4'.repeat(8),
];

test('keys and tokens of known shapes are hidden, the words around them stay', () => {
  for (const secret of secrets) {
    const shown = filter.text(`before ${secret} after, "${secret}"\n`);
    expect(shown, secret).toBe('before [secret] after, "[secret]"\n');
  }
});

test('secrets known by the words before them are hidden', () => {
  const cases: [string, string][] = [
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [secret]'],
    ['curl -H "Authorization: Bearer abcdef123456abcdef"', 'curl -H "Authorization: Bearer [secret]"'],
    ['DB_PASSWORD=s3cr3t-pa55', 'DB_PASSWORD=[secret]'],
    ['{"api_key": "abc123def456"}', '{"api_key": "[secret]"}'],
    ['client_secret: "with spaces in it"', 'client_secret: "[secret]"'],
    ['postgres://app:p4ss@db:5432/x', 'postgres://app:[secret]@db:5432/x'],
    ['tool --password hunter22 run', 'tool --password [secret] run'],
    ['curl -u admin:hunter22 https://x', 'curl -u admin:[secret] https://x'],
    ['machine h login u password p4ssw0rd1', 'machine h login u password [secret]'],
    ['Set-Cookie: session=abcdef0123456789; Path=/', 'Set-Cookie: [secret]'],
  ];
  for (const [text, shown] of cases) expect(filter.text(text)).toBe(shown);
});

test('ordinary text is left alone', () => {
  for (const text of [
    'tokens used: 4096',
    'max_tokens=4096',
    'the password is required',
    'password: ${DB_PASSWORD}',
    'token=$TOKEN',
    'export API_KEY=<your-key>',
    'http://localhost:8080/a',
    'key: value',
    'git@github.com:o/r.git',
    'skeleton-key',
    'monkey: banana',
    'author: Jane Doe <jane@example.com>',
    'https://user@host/',
    'PASS src/a.test.ts',
    'Tokenizer: bpe',
    '2024-01-01T10:00:00Z INFO request id=12345 took 12ms',
  ]) {
    expect(filter.text(text)).toBe(text);
  }
});

test('known values are hidden, also encoded', () => {
  const value = 'hunter2-hunter2';
  for (const form of [value, btoa(value).replace(/=+$/, ''), `x${value}y`])
    expect(filter.text(`a ${form} b`), form).not.toContain(form.slice(1, -1));
  expect(filter.text('say two words secret now')).toBe('say [secret] now');
  expect(createSecretFilter({ values: ['pa"ss\\wörd1'] }).text(JSON.stringify({ v: 'pa"ss\\wörd1' }))).toBe(
    '{"v":"[secret]"}',
  );
});

test('a private key of several lines disappears, and the log goes on after it', () => {
  expect(filter.text(`a\n${pem}\nb\n`)).toBe('a\n[secret]\nb\n');
  expect(filter.text(`k="${pem.replaceAll('\n', '\\n')}" z`)).toBe('k="[secret]" z');
  const stray = filter.text(`-----BEGIN PRIVATE KEY-----\n${'log line of some length\n'.repeat(5000)}`);
  expect(stray.length).toBeGreaterThan(1000);
});

const pieces = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...secrets,
        pem,
        'hunter2-hunter2',
        'two words secret',
        'two words ',
        'ünïcode-välue',
        'Authorization: Bearer ',
        'DB_PASSWORD=',
        'password: "',
        '"',
        'postgres://app:',
        'p4ssw0rd@',
        '--token ',
        ' -u me:',
        '-----BEGIN PRIVATE KEY-----',
        '-----END PRIVATE KEY-----',
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ' ',
        '\n',
        '\r\n',
        '\t',
        ', ',
        'INFO request done ',
        'é',
        '€',
        '😀',
        'x'.repeat(300),
      ),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  ),
  { maxLength: 30 },
);

const splitAt = <T extends { length: number }>(
  whole: T,
  cuts: readonly number[],
  slice: (from: number, to: number) => T,
): T[] => {
  const edges = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  return edges.slice(1).map((edge, i) => slice(edges[i] ?? 0, edge));
};

test('however a text is cut into chunks, the output is that of the whole', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(100_000), { maxLength: 12 }), (parts, cuts) => {
      const text = parts.join('');
      const stream = filter.stream();
      const chunks = splitAt(text, cuts, (from, to) => text.slice(from, to));
      expect(chunks.map((chunk) => stream.push(chunk)).join('') + stream.flush()).toBe(filter.text(text));
    }),
    { numRuns: 1500, seed: 11 },
  );
});

test('however long a line is, chunks do not matter and little is held back', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('x'.repeat(900), 'word '.repeat(200), ...secrets, 'hunter2-hunter2', 'api_key="'),
        { minLength: 30, maxLength: 60 },
      ),
      fc.array(fc.nat(1_000_000), { maxLength: 20 }),
      (parts, cuts) => {
        const text = parts.join(' ');
        const stream = filter.stream();
        let output = '';
        for (const chunk of splitAt(text, cuts, (from, to) => text.slice(from, to))) {
          output += stream.push(chunk);
        }
        expect(output + stream.flush()).toBe(filter.text(text));
        for (const secret of secrets) expect(output).not.toContain(secret);
      },
    ),
    { numRuns: 60, seed: 5 },
  );
  const stream = filter.stream();
  expect(stream.push('y'.repeat(200_000)).length).toBeGreaterThan(180_000);
});

test('bytes may be cut inside a character', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(100_000), { maxLength: 12 }), (parts, cuts) => {
      const bytes = new TextEncoder().encode(parts.join(''));
      const stream = filter.bytes();
      const out = [
        ...splitAt(bytes, cuts, (from, to) => bytes.slice(from, to)).map((chunk) => stream.push(chunk)),
        stream.flush(),
      ];
      const joined = out.flatMap((chunk) => [...chunk]);
      expect(new TextDecoder().decode(new Uint8Array(joined))).toBe(
        filter.text(new TextDecoder().decode(bytes)),
      );
    }),
    { numRuns: 400, seed: 13 },
  );
});

test('a secret never comes through, wherever it stands and however it is cut', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...secrets, 'hunter2-hunter2', 'two words secret'),
      fc.string({ maxLength: 40 }),
      fc.nat(200),
      (secret, before, cut) => {
        const text = `${before} ${secret} after`;
        const stream = filter.stream();
        const at = cut % text.length;
        const output = stream.push(text.slice(0, at)) + stream.push(text.slice(at)) + stream.flush();
        expect(output).not.toContain(secret);
      },
    ),
    { numRuns: 600, seed: 17 },
  );
});

test('a prompt without a line end is shown at once', () => {
  const stream = createSecretFilter({ values: ['hunter2-hunter2'] }).stream();
  expect(stream.push('Continue? [y/N] ')).toBe('Continue? [y/N] ');
  expect(stream.push('ok\n')).toBe('ok\n');
});

test('filtering twice changes nothing more', () => {
  for (const text of [
    `a ${secrets[0]} b`,
    'DB_PASSWORD=s3cr3t-pa55',
    'Authorization: Basic dXNlcjpwYXNz',
    'postgres://a:pw123@h/',
  ]) {
    const once = filter.text(text);
    expect(filter.text(once)).toBe(once);
  }
});

test('secret-looking variables give their values, everyday ones do not', () => {
  const values = secretValues({
    GITHUB_TOKEN: 'abcdefgh1234',
    DB_PASSWORD: 'correct horse',
    AWS_SECRET_ACCESS_KEY: 'x'.repeat(40),
    STRIPE_KEY: 'sk_live_123456',
    DATABASE_URL: 'postgres://u:pa55word@h/d',
    PATH: '/usr/bin:/bin',
    PWD: '/home/me/work',
    SSH_AUTH_SOCK: '/tmp/agent.1',
    TOKEN_SHORT: 'abc',
    API_KEY_PATH: '/etc/key-of-mine',
    KEYBOARD_LAYOUT: 'us-international',
    MAX_TOKENS: '123456789012',
    DEBUG_TOKEN: 'false',
  });
  expect(values.toSorted()).toEqual([
    'abcdefgh1234',
    'correct horse',
    'pa55word',
    'sk_live_123456',
    'x'.repeat(40),
  ]);
});

test('a literal secret in a plan is found, a variable or a placeholder is not', () => {
  const text = `curl -H "Authorization: Bearer ${fake('ghp_', 36)}" https://api.example.com`;
  const found = findSecretLiteral(text);
  expect(found && text.slice(...found.span)).toBe(fake('ghp_', 36));
  expect(findSecretLiteral(pem)?.kind).toBe('private key');
  expect(findSecretLiteral('export DB_PASSWORD=correct-horse-9')?.kind).toBe('secret value');
  for (const fine of [
    'curl -H "Authorization: Bearer $TOKEN" x',
    'export API_KEY=<your-token>',
    'DB_PASSWORD=${DB_PASSWORD}',
    'npm test',
    'AKIAIOSFODNN7EXAMPLE',
    'echo password',
  ]) {
    expect(findSecretLiteral(fine), fine).toBeUndefined();
  }
});
