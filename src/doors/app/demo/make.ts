import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { PartialConfig } from '../../../core/contract/index.ts';
import { probeSandbox } from '../../../world/process/index.ts';
import { type DemoNames, sampleFiles } from './sample.ts';

/** Writes the sample into an empty folder: a runbook and a world in which it fails in five ways. */
export function makeDemo(folder: string, names: DemoNames): void {
  for (const [path, text] of Object.entries(sampleFiles(names))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o644 });
  }
}

/**
 * Takes the port, as somebody else's program might have. Where somebody has it, another one: whoever has it may let go of it
 * before the sample comes to where it is wanted.
 */
export function takePort(wanted: number): Promise<{ port: number; release(): void }> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end());
    server.once('error', () => {
      server.once('error', reject).listen(0, '127.0.0.1');
    });
    server.on('listening', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ port, release: () => server.close() });
    });
    server.listen(wanted, '127.0.0.1');
  });
}

/**
 * The sample is ours, in a folder of its own: where no sandbox can be made, its corrections run without one, and say so,
 * rather than ask about each.
 */
export async function demoSettings(): Promise<{ flags: PartialConfig; said: string | null }> {
  const sandbox = await probeSandbox();
  if (sandbox.works) return { flags: {}, said: null };
  return {
    flags: { sandbox: 'off' },
    said: `Corrections run without a sandbox in this sample. ${sandbox.why}`,
  };
}

/** What is not as it should be after the run: nothing, where all is well. */
export function checkDemo(folder: string, { site, drafts, titles }: DemoNames): string[] {
  const read = (path: string): string =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '';
  const page = read(`${site}/fetched.txt`);
  return [
    ...titles.filter((title) => !page.includes(title)).map((title) => `"${title}" is not on the front page`),
    ...(read(`${site}/count.txt`).trim() === String(titles.length) ? [] : ['the headings were not counted']),
    ...(existsSync(join(folder, drafts)) ? ['the drafts are still there'] : []),
  ];
}
