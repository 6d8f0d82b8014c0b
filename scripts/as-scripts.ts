import { createHash } from 'node:crypto';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { inAscii } from './in-ascii.ts';
import { isNode, type Node } from './syntax.ts';

interface ScriptOptions {
  plugins?: readonly Plugin[];
  /** Parts that are loaded together, by those that are entered: they and what they import are one file. The first come first. */
  files?: readonly { name: string; entered: readonly string[] }[];
}

/**
 * Writes what was bundled into a folder, `main.js` and its parts, anew for bin/load.cjs: files that are an object of functions,
 * one for each part, in the manner of CommonJS. main.cjs has all that is loaded whatever is asked, and says where else a part is
 * that has no file of its own. Each file is named by what it holds in its first line. Of what was bundled, and not at once: what
 * reads the sources cannot write it so.
 */
export async function asScripts(
  folder: string,
  { plugins = [], files = [] }: ScriptOptions = {},
): Promise<void> {
  const made = await rolldown({
    input: join(folder, 'main.js'),
    platform: 'node',
    external: /^[^./]/,
    plugins: [...plugins, importsAsked],
  });
  const { output } = await made.generate({
    format: 'cjs',
    entryFileNames: 'main.cjs',
    chunkFileNames: 'parts/[name]-[hash].cjs',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await made.close();
  for (const old of globSync('{main.js,parts/*.js}', { cwd: folder })) rmSync(join(folder, old));
  const left = new Map(
    output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
  /** Takes these and what they import out of what is left. */
  const take = (names: readonly string[]): OutputChunk[] =>
    names.flatMap((name) => {
      const chunk = left.get(name);
      left.delete(name);
      return chunk === undefined ? [] : [chunk, ...take(chunk.imports)];
    });
  const holding = (module: string): string[] =>
    [...left.values()].filter(({ moduleIds }) => moduleIds.includes(module)).map(({ fileName }) => fileName);
  const main = take(['main.cjs']);
  const grouped = files.map(({ name, entered }) => ({
    name: `${name}.cjs`,
    parts: take(entered.flatMap(holding)),
  }));
  const where = Object.fromEntries(
    grouped.flatMap(({ name, parts }) => parts.map(({ fileName }) => [basename(fileName), name])),
  );
  const write = (name: string, texts: readonly string[]) => {
    const text = `({\n${texts.join(',\n')}\n})\n`;
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
    writeFileSync(join(folder, name), `//${hash}\n${text}`);
  };
  write('main.cjs', [`where: ${JSON.stringify(where)}`, ...main.map(asPart)]);
  for (const { name, parts } of grouped) write(name, parts.map(asPart));
  for (const [name, chunk] of left) write(name, [asPart(chunk)]);
}

const asPart = ({ fileName, code }: OutputChunk): string =>
  `${JSON.stringify(basename(fileName))}: function (exports, require, __import, __filename, __dirname) {'use strict';${inAscii(code)}\n}`;

/** A script imports nothing by itself: what is no part of the bundle is imported by whoever loads it. */
const importsAsked: Plugin = {
  name: 'imports-asked',
  renderChunk(code) {
    if (!/\bimport\(/.test(code)) return null;
    const starts = importsIn(this.parse(code).body as unknown as Node[]);
    const texts = starts.map((start, n) => code.slice(start + 'import'.length, starts[n + 1]));
    return { code: [code.slice(0, starts[0]), ...texts].join('__import'), map: null };
  },
};

/** Where `import(…)` stands, in order. */
function importsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(importsIn);
  if (!isNode(value)) return [];
  const inner = Object.values(value).flatMap(importsIn);
  return value.type === 'ImportExpression' ? [value.start, ...inner] : inner;
}
