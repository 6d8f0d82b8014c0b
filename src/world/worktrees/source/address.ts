import { createHash } from 'node:crypto';
import { WorktreeError } from '../errors.ts';

/** How git may reach a repository. What starts a program of the caller's choice (`ext::`) is none of them. */
export const protocols = ['https', 'ssh', 'http', 'file'] as const;
export type Protocol = (typeof protocols)[number];

/** Where a repository is, and what of it is meant. */
export interface Address {
  url: string;
  /** A branch, a tag, a whole ref or a commit; null: what is checked out there. */
  ref: string | null;
  protocol: Protocol;
}

const refuse = (message: string): never => {
  throw new WorktreeError('bad-source', message);
};

/** Reads `URL[#ref]`. Throws a WorktreeError for what is none, and for what has a password in it. */
export function readAddress(text: string): Address {
  const at = text.lastIndexOf('#');
  const [url, ref] = at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
  // Git takes what begins with a dash for an option, and what has `::` in it for a program.
  if (/^-|::|[\s\p{Cc}]/u.test(url) || url === '')
    refuse(`${JSON.stringify(url)} is no address of a repository`);
  if (ref !== null && (!/^[A-Za-z0-9_][\w./+@-]*$/.test(ref) || /\.\.|@\{|\/$|\.lock$/.test(ref)))
    refuse(`${JSON.stringify(ref)} is no name of a branch, a tag or a commit`);
  return { url: url.startsWith('/') ? `file://${url}` : url, ref, protocol: protocolOf(url) };
}

function protocolOf(url: string): Protocol {
  if (url.startsWith('/')) return 'file';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//.exec(url)?.[1];
  // git@host:path
  if (scheme === undefined && /^(?:[\w.-]+@)?[A-Za-z0-9][\w.-]*:(?!\/\/)/.test(url)) return 'ssh';
  const known = protocols.find((protocol) => protocol === scheme);
  if (known === undefined)
    return refuse(`${url} cannot be cloned by any machine: use https://, ssh:// or git@host:path`);
  if (known !== 'file' && /^[a-z]+:\/\/-/.test(url)) refuse(`${url} is no address of a repository`);
  const user = /^[a-z]+:\/\/([^/@]*)@/.exec(url)?.[1];
  if (user !== undefined && (known !== 'ssh' || user.includes(':')))
    refuse('an address that is written down has no password in it: the git of each machine has its own');
  return known;
}

export function mustAllow({ protocol, url }: Address, allowed: readonly Protocol[]): void {
  if (!allowed.includes(protocol))
    refuse(
      `${url} is reached by ${protocol}, which is not allowed here: planwright config set source.protocols`,
    );
}

/** Names a repository on the disk. */
export const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 24);

/** As people call it: the last part of its path. */
export const shortName = (url: string): string =>
  /([\w.-]+?)(?:\.git)?\/*$/.exec(url)?.[1]?.replace(/^[.-]+/, '') || 'repository';
