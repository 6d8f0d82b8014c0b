import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { deferSchemas } from '../../scripts/deferred.ts';
import { BIN } from '../support/program.ts';

const root = join(import.meta.dirname, '../..');

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-deferred-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What these files of a room come to, bundled with their schemas put off or as they are. */
async function loaded(files: Record<string, string>, plugins: (typeof deferSchemas)[]) {
  const folder = temporary();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'src/core/contract'), { recursive: true });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, 'src/core/contract', name), text);
  const bundled = await rolldown({
    input: join(folder, 'src/core/contract/index.ts'),
    platform: 'node',
    external: ['zod'],
    plugins,
  });
  await bundled.write({ file: join(folder, 'out.mjs'), format: 'esm' });
  await bundled.close();
  return import(pathToFileURL(join(folder, 'out.mjs')).href);
}

const files = {
  'row.ts': `import { z } from 'zod';
export const built: string[] = [];
const noted = <T>(name: string, made: T): T => { built.push(name); return made; };
export const Row = z.object({ id: z.string().refine(noted('Row', (id: string) => id !== '')) });
const shared = { n: z.int().min(noted('shared', 1)) };
export const parts = [z.object({ type: z.literal('a'), ...shared }), z.object({ type: z.literal(noted('b', 'b')) })] as const;
export const names: readonly string[] = ['not', 'a', 'schema'];
export const table = new Map([['as', 'it is']]);`,
  'index.ts': `import { z } from 'zod';
import { parts, Row } from './row.ts';
export { built, names, parts, Row, table } from './row.ts';
export const Wide = Row.extend({ more: Row.optional() });
export const Either = z.discriminatedUnion('type', [...parts]);
export const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema);`,
};

test('a schema is built when it is first read, and is then what it would have been', async () => {
  const put = await loaded(files, [deferSchemas]);
  const plain = await loaded(files, []);
  expect(plain.built).toEqual(['Row', 'shared', 'b']);
  expect(put.built).toEqual([]);
  expect(put.Wide.safeParse({ id: 'x', more: { id: '' } }).success).toBe(false);
  expect(put.built).toEqual(['Row']);
  expect(put.Wide.parse({ id: 'x', more: { id: 'y' } })).toEqual({ id: 'x', more: { id: 'y' } });
  expect(put.Either.parse({ type: 'a', n: 2 })).toEqual({ type: 'a', n: 2 });
  expect(put.Either.safeParse({ type: 'a', n: 0 }).success).toBe(false);
  for (const name of ['Wide', 'Either', 'Row'])
    expect(put.schemaOf(put[name]), name).toEqual(plain.schemaOf(plain[name]));
  expect(put.Wide.shape.more.unwrap()).toBe(put.Row);
  expect(Array.isArray(put.parts) && put.parts.length).toBe(2);
  expect([...put.names, put.table.get('as')]).toEqual(['not', 'a', 'schema', 'it is']);
});

/** Nearly all of these are the configuration's, which grows; without putting off it is three thousand each. */
test.each([
  ['runs', 50, 600],
  ['risk true', 0, 0],
  ['config list', 50, 600],
])('%s builds from %i to %i schemas', (command, atLeast, atMost) => {
  const folder = temporary();
  const counting = `let n = 0; globalThis.__zod_globalConfig = { postProcessor: () => { n += 1 } };
    process.on('exit', () => process.stderr.write(\`built \${n}\\n\`));`;
  writeFileSync(join(folder, 'counting.mjs'), counting);
  const args = ['--import', join(folder, 'counting.mjs'), BIN, ...command.split(' ')];
  const env = { ...process.env, PLANWRIGHT_HOME: join(folder, 'home') };
  const { stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  const built = Number(/^built (\d+)$/m.exec(stderr)?.[1]);
  expect(built, stderr).toBeGreaterThanOrEqual(atLeast);
  expect(built).toBeLessThanOrEqual(atMost);
});
