import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeCommand } from '../../src/core/risk/index.ts';
import { createRandom } from './mutants.ts';
import { wrapping } from './wrappings.ts';

/**
 * Really runs shell texts, with the programs of this machine, where nothing of it can be written: each in a fresh folder
 * of its own with something to lose. One jail takes many texts.
 */

/** Reads texts separated by zero bytes. A text that hangs is ended; what it left running dies with the jail. */
const driver = `
mapfile -d '' -t texts < /tmp/jail/texts
export HOME=/tmp/jail/home PATH=/usr/bin:/bin:/usr/sbin:/sbin TERM=dumb LC_ALL=C
ulimit -f 20000 -t 5
# What is sent to everybody ends none but the one that sent it: a trap is not inherited.
trap : HUP INT QUIT USR1 USR2 PIPE ALRM TERM
for id in "\${!texts[@]}"; do
  cd "/tmp/jail/w/$id" || exit 9
  timeout -k 1 1 bash -c "\${texts[id]}" </dev/null >/dev/null 2>&1
done
exit 0
`;

/** How many texts one jail takes. */
const batch = 250;

/** Answers for each text whether it deleted or emptied what was there. As many jails at once as are asked for. */
export async function deletedByRunning(texts: readonly string[], jails = 1): Promise<boolean[]> {
  const gone: boolean[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < texts.length) {
      const from = next;
      next += batch;
      (await runBatch(texts.slice(from, from + batch))).forEach((is, n) => {
        gone[from + n] = is;
      });
    }
  };
  await Promise.all(Array.from({ length: jails }, work));
  return gone;
}

async function runBatch(texts: readonly string[]): Promise<boolean[]> {
  const root = mkdtempSync(join(tmpdir(), 'risk-canary-'));
  try {
    for (const folder of ['home', 'w']) mkdirSync(join(root, folder));
    texts.forEach((_, id) => {
      const folder = join(root, 'w', String(id));
      mkdirSync(join(folder, 'keep'), { recursive: true });
      for (const name of ['canary', 'keep/precious', 'line']) writeFileSync(join(folder, name), 'x\n');
    });
    writeFileSync(join(root, 'driver'), driver);
    writeFileSync(join(root, 'texts'), texts.map((text) => `${text}\0`).join(''));
    const hidden = ['/tmp', '/root', '/home', '/run'].flatMap((path) => ['--tmpfs', path]);
    const alone = [
      '--unshare-all',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
      '--ro-bind',
      '/',
      '/',
    ];
    const places = ['--dev', '/dev', '--proc', '/proc', ...hidden, '--bind', root, '/tmp/jail'];
    const jail = spawn('bwrap', [...alone, ...places, 'bash', '--norc', '/tmp/jail/driver'], {
      stdio: 'ignore',
    });
    const [code] = (await once(jail, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the jail ended with ${code}`);
    return texts.map((_, id) =>
      ['canary', 'keep/precious'].some((name) => isGone(join(root, 'w', String(id), name))),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function isGone(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Of these texts, how many ran, which deleted something, and which of those were judged less than dangerous. */
export async function fuzzWrappings(count: number, seed: number, jails = 1): Promise<Fuzzed> {
  const random = createRandom(seed);
  const texts = Array.from({ length: count }, () => wrapping(random));
  const gone = await deletedByRunning(texts, jails);
  const deleting = texts.filter((_, n) => gone[n]);
  const context = { workspace: '/tmp/jail/w', cwd: '/tmp/jail/w', home: '/tmp/jail/home', trusted: true };
  const suspected = deleting.filter(
    (text) => !['dangerous', 'blocked'].includes(judgeCommand(text, context).level),
  );
  // One that leaves its folder may have deleted what was another's: alone it cannot.
  const missed: string[] = [];
  for (const text of suspected) if ((await runBatch([text]))[0]) missed.push(text);
  return { ran: texts.length, deleted: deleting.length, missed };
}

export interface Fuzzed {
  readonly ran: number;
  readonly deleted: number;
  readonly missed: readonly string[];
}
