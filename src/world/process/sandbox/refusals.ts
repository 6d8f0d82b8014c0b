/** How programs say what the system refused them. They quote it in C’s words, in Node’s, Python’s, Go’s and Rust’s. */

const writeTexts = /read-only file ?system|\bEROFS\b|\[Errno 30\]|os error 30\b/i;

/** A guard that is to be moved away, or to have something moved onto it. */
const guardIsBusy = /([^\s'"‘]*\.(?:git|planwright)\b[^\s'"’:]*)['"’]?.*resource busy/;

export const isRefusedWrite = (line: string): boolean => writeTexts.test(line) || guardIsBusy.test(line);

export const networkTexts = {
  unreachable: /network is unreachable|\bENETUNREACH\b|\[Errno 101\]|os error 101\b/i,
  unresolved:
    /temporary failure (?:in name resolution|resolving)|could not resolve (?:host|proxy)|name or service not known|nodename nor servname|unable to resolve host|getaddrinfo (?:EAI_AGAIN|ENOTFOUND)|\bEAI_AGAIN\b|no such host|failed to lookup address|bad address '/i,
  refused: /connection refused|\bECONNREFUSED\b|couldn't connect to server/i,
};

export const privilegeTexts = {
  gain: /no new privileges|must be (?:setuid root|owned by uid 0 and have the setuid bit)|'nosuid' option set|pkexec must be setuid/i,
  socket: /(?:unix:\/\/|unix )(\/(?:var\/)?run\/[^\s:,'"]+)/,
  notPermitted:
    /operation not permitted|^mount: .*permission denied|must be (?:superuser|root)|\bEPERM\b|\[Errno 1\]|os error 1\b/i,
};

/**
 * The path of a refused write, or null where none is named. Of two (`cannot move 'a' to 'b'`) the second is written
 * to, and so is the second of Node’s `rename 'a' -> 'b'`.
 */
export function pathIn(line: string): string | null {
  const busy = guardIsBusy.exec(line);
  if (busy) return busy[1] ?? null;
  const refusal = line.search(writeTexts);
  // Node and Python name it behind the text, between quotes; the others before it.
  const behind = /^[^:]*: ?(?:[a-z]+ )?['"](.+?)['"](?: -> ['"](.+?)['"])?/i.exec(line.slice(refusal));
  if (behind) return behind[2] ?? behind[1] ?? null;
  const node = /EROFS: read-only file system, \w+ '(.+?)'(?: -> '(.+?)')?/.exec(line);
  if (node) return node[2] ?? node[1] ?? null;
  const before = line.slice(0, refusal).replace(/(?:: [Cc]annot \w+)?[\s:([]+$/, '');
  const quoted = [...before.matchAll(/['"`‘“]([^'"`’”]+)['"`’”]/g)].map((match) => match[1]!);
  if (quoted.length > 0) return quoted.at(-1)!;
  const word = /(?:^|[\s=:])((?:~|\.{0,2}\/)?[^\s:'"]*)$/.exec(before)?.[1];
  return word !== undefined && /[/.]/.test(word) && word !== '' ? word : null;
}

/** The port of this machine that a line speaks of. */
export function portIn(line: string): number | null {
  const found =
    /\bport (\d{2,5})\b/i.exec(line) ??
    /(?:127\.0\.0\.1|localhost|\[?::1\]?)[^\d]{1,24}(\d{2,5})\b/i.exec(line);
  return found ? Number(found[1]) : null;
}
