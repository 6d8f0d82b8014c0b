import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const contract = join(root, 'src/core/contract/index.ts');

/** Every built-in of Node that the bundle of a file for a browser would have to import, and who asks for it. */
async function builtinsReachedFrom(input: string): Promise<string[]> {
  const reached: string[] = [];
  const bundle = await rolldown({
    input,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'no-built-ins',
        resolveId(source, importer) {
          if (!isBuiltin(source)) return null;
          reached.push(`${importer ?? input} → ${source}`);
          return { id: source, external: true };
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  expect(output[0].code.length).toBeGreaterThan(0);
  return reached;
}

/** A file beside the contract that pulls it in. */
function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'index.ts');
  writeFileSync(file, text);
  return file;
}

test('the contract runs in a browser: it reaches no built-in of Node', async () => {
  expect(await builtinsReachedFrom(contract)).toEqual([]);
});

test.each(['node:fs', 'crypto'])(
  'a built-in that is planted behind the contract is found: %s',
  async (name) => {
    const planted = fileWith(`export * from '${contract}';\nexport * as planted from '${name}';\n`);
    expect(await builtinsReachedFrom(planted)).toEqual([expect.stringMatching(new RegExp(`→ ${name}$`))]);
  },
);
