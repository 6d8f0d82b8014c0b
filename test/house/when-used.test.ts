import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import type { Node } from '../../scripts/syntax.ts';
import { valuesWhenUsed, withValuesWhenUsed } from '../../scripts/when-used.ts';
import * as sources from '../../src/core/risk/index.ts';
import { catalogue } from '../../src/core/risk/testing/catalogue.ts';

const code = `
let node_path = require("node:path");
let node_url = require("node:url");
node_url = { ...node_url, ours: 1 };
const table = made("table", new Map([["a", 1]]));
const pattern = /^b/;
const List = made("List", class { items = [table.get("a")]; });
const given = made("given", { table, ["table"]: table, pattern });
const shadowed = made("shadowed", [1]);
const asIs = made("asIs", 3);
const asIs_made = 0;
const text = "as it is";
const twice = (shadowed, { x = table.size, ...rest } = {}) => shadowed + x;
class Below extends made("Below", List) { table() { return given.table; } }
function late() { try { throw 1; } catch ({ name = pattern.source }) { return name; } }
for (const [key] of table) made(key, table.set("c", 3));
exports.got = {
  table, "pattern": pattern.test("bc"), list: new List().items, below: new Below().table() === table,
  ours: node_url.ours, joined: node_path.join("a", "b"), twice: twice(1), late: late(), text, asIs, shadowed,
  template: \`\${table.size}\`, optional: given?.pattern, label: (() => { table: for (;;) break table; return 1; })(),
};`;

function run(text: string) {
  const order: string[] = [];
  const asked: string[] = [];
  const exports: { got?: unknown } = {};
  const made = <T>(name: string, value: T): T => {
    order.push(name);
    return value;
  };
  const ask = (id: string) => {
    asked.push(id);
    return process.getBuiltinModule(id);
  };
  runInThisContext(`(function (exports, require, made) {'use strict';${text}\n})`)(exports, ask, made);
  return { got: exports.got, order, asked };
}
const deferred = (text: string) =>
  withValuesWhenUsed(text, parseAst(text).body as unknown as readonly Node[]);

test('what is made when it is used is what it would have been', () => {
  const plain = run(code);
  const put = run(deferred(code));
  expect(JSON.stringify(put.got)).toBe(JSON.stringify(plain.got));
  expect(put.got).toMatchObject({ pattern: true, below: true, ours: 1, joined: 'a/b', twice: 3, late: '^b' });
  expect(put.order.toSorted()).toEqual(plain.order.toSorted());
});

test('what nobody uses is not made, and what is used is made once', () => {
  const unused = 'let a = require("node:zlib"); const b = made("b", [a]); const c = made("c", []);';
  expect(run(unused)).toMatchObject({ order: ['b', 'c'], asked: ['node:zlib'] });
  expect(run(deferred(unused))).toMatchObject({ order: [], asked: [] });
  expect(run(deferred(`${unused} exports.got = [c, c];`)).order).toEqual(['c']);
});

test('a name that stands for something else elsewhere is left alone', () => {
  const text = 'const a = made("a", [1]); exports.got = [a, ((a) => a)(2)];';
  expect(deferred(text)).toBe(text);
});

test('the judge of such a bundle says of all examples what that of the sources says', async () => {
  const bundled = await rolldown({
    input: join(import.meta.dirname, '../../src/core/risk/index.ts'),
    platform: 'node',
    external: ['zod'],
    plugins: [valuesWhenUsed],
  });
  const { output } = await bundled.generate({ format: 'cjs', codeSplitting: false });
  await bundled.close();
  expect(output[0].code).toMatch(/_made \?\?= /);
  const made = {} as typeof sources;
  runInThisContext(`(function (exports, require) {'use strict';${output[0].code}\n})`)(
    made,
    createRequire(import.meta.url),
  );
  const context = {
    cwd: '/home/u/work',
    home: '/home/u',
    workspace: '/home/u/work',
    storeDir: '/home/u/.pw',
  };
  const judged = (judge: typeof sources) =>
    catalogue.flatMap(({ shell, rules }) =>
      rules
        .flatMap(({ hits, misses }) => [...hits, ...misses])
        .map((command) => [
          command,
          judge.judgeAction(
            { kind: 'run-command', command },
            { ...context, ...(shell === 'pwsh' ? { shell } : {}) },
          ),
        ]),
    );
  const expected = judged(sources);
  expect(expected.length).toBeGreaterThan(1000);
  expect(judged(made)).toEqual(expected);
});
