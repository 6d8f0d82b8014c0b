import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import type { Expectation } from '../../../core/contract/index.ts';
import { type Observed, observed } from './observed.ts';

/** How far into a file is looked for a text. */
const READ_BYTES = 64 * 1024 * 1024;

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>;

/** 'file': anything there that is no folder. Undefined where it cannot be told. */
async function kindOf(path: string): Promise<'file' | 'folder' | 'nothing' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : undefined;
  }
}

export async function checkExists(
  { kind, path, exists }: Of<'file-exists'> | Of<'dir-exists'>,
  workspace: string,
): Promise<Observed> {
  const [word, wanted] =
    kind === 'file-exists' ? (['file', 'file'] as const) : (['folder', 'folder'] as const);
  const found = await kindOf(resolve(workspace, path));
  if (found === undefined)
    return { held: null, sentence: `whether ${word} ${path} exists could not be seen` };
  if (!exists) {
    return observed(
      found !== wanted,
      `${word} ${path} does not exist`,
      `expected ${word} ${path} not to exist, and it does`,
    );
  }
  const instead = found === 'nothing' ? 'it does not' : `it is a ${found}`;
  return observed(
    found === wanted,
    `${word} ${path} exists`,
    `expected ${word} ${path} to exist, and ${instead}`,
  );
}

export async function checkFileContains(
  { path, text }: Of<'file-contains'>,
  workspace: string,
  signal?: AbortSignal,
): Promise<Observed> {
  const file = resolve(workspace, path);
  const expected = `expected file ${path} to contain ${JSON.stringify(text)}`;
  try {
    const { size, ...info } = await describe(file);
    if (!info.readable) return { held: false, sentence: `${expected}, and it is no file` };
    const found = await findInFile(file, Buffer.from(text), signal);
    const looked = size > READ_BYTES ? ` in its first ${READ_BYTES / 1024 / 1024} MB` : '';
    return observed(
      found,
      `file ${path} contains ${JSON.stringify(text)}`,
      `${expected}, and it does not${looked}`,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { held: false, sentence: `${expected}, and there is no such file` };
    return { held: null, sentence: `${expected}, and it could not be read` };
  }
}

/** A pipe or a device is not opened: reading it could wait for ever. */
async function describe(file: string): Promise<{ readable: boolean; size: number }> {
  const info = await stat(file);
  return { readable: info.isFile(), size: info.size };
}

async function findInFile(file: string, needle: Buffer, signal?: AbortSignal): Promise<boolean> {
  if (needle.length === 0) return true;
  let carry: Buffer = Buffer.alloc(0);
  const stream = createReadStream(file, { end: READ_BYTES - 1, highWaterMark: 256 * 1024, signal });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const text = Buffer.concat([carry, chunk]);
    if (text.includes(needle)) return true;
    carry = text.subarray(Math.max(0, text.length - needle.length + 1));
  }
  return false;
}

/** By the PATH that the step's shell would search. */
export async function checkCommandExists(
  { command }: Of<'command-exists'>,
  cwd: string,
  path: string | undefined,
): Promise<Observed> {
  const folders = command.includes('/') ? [''] : (path ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter);
  for (const folder of folders) {
    if (await isProgram(resolve(cwd, folder, command)))
      return { held: true, sentence: `command ${command} exists` };
  }
  return { held: false, sentence: `expected command ${command} to exist, and it is not on the PATH` };
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
