import { expect, test } from 'vitest';
import { editorAddress, fileAt, outputParts } from './output-links.ts';

const links = (text: string) =>
  outputParts(text).flatMap((part) =>
    part.kind === 'text'
      ? []
      : [part.kind === 'url' ? part.text : `${part.path} ${part.line} ${part.column}`],
  );

test.each([
  ['src/a.ts:12:5 - error TS2304: no name', ['src/a.ts 12 5']],
  ['src/a.ts(12,5): error TS2304', ['src/a.ts 12 5']],
  ['  File "/srv/app/main.py", line 31, in <module>', ['/srv/app/main.py 31 null']],
  ['./lib/x.go:7: undefined: y', ['./lib/x.go 7 null']],
  ['main.c:3:1: warning', ['main.c 3 1']],
  ['    at load (/srv/app/a.js:10:3)', ['/srv/app/a.js 10 3']],
  ['listening on http://127.0.0.1:8080/ now.', ['http://127.0.0.1:8080/']],
  ['see https://example.org/docs/a?b=c#d.', ['https://example.org/docs/a?b=c#d']],
  ['db.example.com:5432 answers, at 10.0.0.1:80, took 1:30', []],
  ['javascript:alert(1) file:///etc/passwd', []],
  ['nothing to see', []],
])('in %j', (text, expected) => {
  expect(links(text)).toEqual(expected);
  expect(
    outputParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

test('a link leads to what it says: letters that turn others round end it', () => {
  expect(links('https://good.example/\u202egpj.evil')).toEqual(['https://good.example/']);
});

test('a place in a file is where the run works', () => {
  const place = { path: '../b/x.ts', line: 3, column: null };
  expect(fileAt('../b/x.ts', '/w/a')).toBe('/w/b/x.ts');
  expect(editorAddress('vscode', place, '/w/a b')).toBe('vscode://file/w/b/x.ts:3');
  expect(editorAddress('vscode', { ...place, path: 'ü.ts', column: 4 }, '/w')).toBe(
    'vscode://file/w/%C3%BC.ts:3:4',
  );
  expect(editorAddress('idea', place, '/w/a')).toBe('idea://open?file=%2Fw%2Fb%2Fx.ts&line=3');
  expect(editorAddress('copy', place, '/w')).toBeNull();
});

test('a long line without links is looked through in one go', () => {
  const text = `${'a/b.'.repeat(50_000)} x:1`;
  expect(links(text)).toEqual([]);
});
