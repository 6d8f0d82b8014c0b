import { expect, test } from 'vitest';
import { type Inline, inline, safeHref } from './rich-inline.ts';
import { type Block, richText } from './rich-text.ts';

const kinds = (text: string) => richText(text).map(({ kind }) => kind);
const words = (parts: readonly Inline[]): string =>
  parts.map((part) => ('text' in part ? part.text : words(part.parts))).join('');

test('headings, paragraphs, lists, quotes, code, tables and rules are told apart', () => {
  const text = [
    '# Title',
    'One **bold** line',
    'and another.',
    '',
    '- a',
    '- b',
    '  1. inner',
    '',
    '> said',
    '',
    '```ts',
    'const a = `x`;',
    '```',
    '| a | b |',
    '|---|:-:|',
    '| 1 | `2` |',
    '',
    '---',
    'end',
  ].join('\n');
  expect(kinds(text)).toEqual([
    ...['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'rule', 'paragraph'],
  ]);
  const [, , list, , code, table] = richText(text);
  expect(list).toMatchObject({
    start: null,
    items: [{}, { blocks: [{ kind: 'paragraph' }, { kind: 'list', start: 1 }] }],
  });
  expect(code).toEqual({ kind: 'code', language: 'ts', text: 'const a = `x`;' });
  expect((table as Extract<Block, { kind: 'table' }>).rows).toHaveLength(1);
});

test('what is still being said is shown as far as it came: a fence without its end is code', () => {
  expect(richText('Look:\n```sh\nnpm te')).toMatchObject([
    { kind: 'paragraph' },
    { kind: 'code', language: 'sh', text: 'npm te' },
  ]);
  expect(words(inline('this is **not yet bo'))).toBe('this is **not yet bo');
});

test('HTML is text, pictures are links, and only the web and mail are linked to', () => {
  const [paragraph] = richText('<img src=x onerror=alert(1)> <script>1</script>');
  expect(paragraph).toMatchObject({ kind: 'paragraph', parts: [{ kind: 'text' }] });
  expect(inline('![pixel](https://evil.example/p.png)')).toMatchObject([
    { kind: 'link', href: 'https://evil.example/p.png' },
  ]);
  for (const target of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'JaVaScRiPt:1',
    '/x',
    'vbscript:x',
  ])
    expect(safeHref(target)).toBeNull();
  expect(inline('[click](javascript:alert(1))').every(({ kind }) => kind === 'text')).toBe(true);
  expect(words(inline('[click](javascript:alert(1))'))).toContain('javascript:alert(1)');
  expect(inline('see https://a.example/x.')).toMatchObject([
    { text: 'see ' },
    { kind: 'link', href: 'https://a.example/x' },
    { text: '.' },
  ]);
});

test('marks without their fellow, in words and between numbers are text', () => {
  for (const text of ['snake_case_name', '2 * 3 * 4', 'a ` b', '**', '[x](', 'a_b_c **d'])
    expect(words(inline(text))).toBe(text);
  expect(inline('`a ** b`')).toEqual([{ kind: 'code', text: 'a ** b' }]);
  expect(inline('*a* and _b_ and ~~c~~').map(({ kind }) => kind)).toEqual([
    ...['em', 'text', 'em', 'text', 'strike'],
  ]);
});

test('a todo list keeps what is done', () => {
  expect(richText('- [x] one\n- [ ] two')).toMatchObject([
    { items: [{ checked: true }, { checked: false }] },
  ]);
});

test('whatever is said, nothing of it is lost in nesting, and it ends', () => {
  expect(JSON.stringify(richText(`${'> '.repeat(40)}deep`))).toContain('deep');
  expect(JSON.stringify(richText(`${'*'.repeat(5000)}x`))).toContain('x');
  expect(JSON.stringify(richText('['.repeat(9000)))).toContain('[[');
});
