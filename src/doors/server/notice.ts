import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a running server says about itself in the data folder, so that a second one finds it. */
const Notice = z.object({
  pid: z.int().positive(),
  url: z.string(),
  /** Asked for over HTTP too: a reused pid or port is not mistaken for the server. */
  instance: z.string(),
});
export type Notice = z.infer<typeof Notice>;

const noticeFile = (dataFolder: string) => join(dataFolder, 'server.json');

const readText = (dataFolder: string): string | null => {
  try {
    return readFileSync(noticeFile(dataFolder), 'utf8');
  } catch {
    return null;
  }
};

function readNotice(dataFolder: string): Notice | null {
  try {
    const parsed = Notice.safeParse(JSON.parse(readText(dataFolder) ?? ''));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Where nobody listens that is known at once; a busy machine takes its time. */
const PATIENCE_MS = 15_000;

/** The server that works with this data folder, where one lives and answers. */
export async function findServer(dataFolder: string): Promise<Notice | null> {
  const notice = readNotice(dataFolder);
  if (notice === null || !isAlive(notice.pid)) return null;
  try {
    const answer = await fetch(new URL('/healthz', notice.url), { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.headers.get('planwright-instance') === notice.instance ? notice : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Puts the notice up. Where another server came first, that one is the answer. */
export async function putUp(dataFolder: string, notice: Notice): Promise<Notice | null> {
  for (let tries = 0; tries < 3; tries++) {
    if (writeNew(noticeFile(dataFolder), JSON.stringify(notice))) return null;
    const found = readText(dataFolder);
    const other = await findServer(dataFolder);
    if (other !== null) return other;
    // Whoever came while we asked has put up another one.
    if (readText(dataFolder) === found) rmSync(noticeFile(dataFolder), { force: true });
  }
  return findServer(dataFolder);
}

export function takeDown(dataFolder: string, instance: string): void {
  if (readNotice(dataFolder)?.instance === instance) rmSync(noticeFile(dataFolder), { force: true });
}

function writeNew(path: string, text: string): boolean {
  try {
    const fd = openSync(path, 'wx', 0o600);
    writeSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
