import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';

const encodings: [name: string, ending: string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

const howToBuild = `<!doctype html><meta charset="utf-8"><title>Planwright</title>
<p>The web app has not been built. In a checkout: <code>npm run build</code>. The API is at <a href="/api/openapi.json">/api</a>.</p>
`;

/** Where the built web app is: beside the compiled program, or in a checkout where Vite puts it. */
export function findWebFolder(): string {
  const published = join(import.meta.dirname, '../../web');
  const checkout = join(import.meta.dirname, '../../../web/dist');
  return [published, checkout].find((folder) => existsSync(join(folder, 'index.html'))) ?? checkout;
}

/**
 * Files of the web app. A path that names none is one of the app's own addresses and gets the page, except below
 * /assets/. Nothing outside of the folder is ever read, whatever links or dots say; hono's `serveStatic` follows links.
 */
export async function serveWebFile(folder: string, path: string, accepts: string): Promise<Response> {
  const file = await findFile(folder, path);
  if (file !== null) return fileResponse(file, path.startsWith('/assets/'), accepts);
  if (path.startsWith('/assets/') || extname(path) !== '') return notFound();
  const page = await findFile(folder, '/index.html');
  if (page !== null) return fileResponse(page, false, accepts);
  return new Response(howToBuild, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

const notFound = () =>
  new Response('There is no such file.\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });

async function findFile(folder: string, path: string): Promise<string | null> {
  let name: string;
  try {
    name = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (/[\0\\]/.test(name) || name.split('/').includes('..')) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, name));
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}

/** Files below /assets/ have their hash in their name: they never change. */
async function fileResponse(file: string, isHashed: boolean, accepts: string): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': getMimeType(file) ?? 'application/octet-stream',
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  };
  for (const [encoding, ending] of encodings) {
    if (!accepts.includes(encoding)) continue;
    const packed = await readFile(file + ending).catch(() => null);
    if (packed !== null)
      return new Response(packed, { headers: { ...headers, 'content-encoding': encoding } });
  }
  return new Response(await readFile(file), { headers });
}
