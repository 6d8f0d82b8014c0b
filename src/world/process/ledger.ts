import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ProcessGroup } from '../../core/contract/index.ts';
import { listProcesses } from './process-table.ts';

/** A group that a run has started, or the process of an agent that asks the guard. */
export type Note = ({ run: string; step: string } | { agent: string }) & { startTime: string; boot: string };

/** What is noted of a number, the oldest first: one that was given away again may be noted several times. */
export type NotesOf = (number: number) => Note[];

/**
 * The folder in a data folder where it is noted what runs have started, and which agents ask the guard. In it are
 *
 *   of-PID-…  the groups that this process has started, a line each
 *   PID       the process of an agent
 *   AGENT     that the guard has been asked by such an agent
 */
export const ledgerIn = (dataFolder: string): string => join(dataFolder, 'started');

/** A page has so many lines at most, and a ledger so many notes of agents. */
const MANY = 256;
/** So many pages may be there before it is looked whose owners have ended. */
const MANY_PAGES = 8;
const pageName = /^of-(\d+)-/;

interface Page {
  path: string;
  fd: number;
  lines: number;
}

/** This process's own pages, by their ledger. */
const pages = new Map<string, Page>();

/**
 * Notes a group that a run has started, before it runs. The journal has it too; this is where it is found by its number
 * alone. It is a line of a page that is open: to make a file for each takes as long as to start it. Throws where it cannot be
 * written.
 */
export function noteGroup(ledger: string, group: ProcessGroup, owner: { run: string; step: string }): void {
  const { pgid, startTime, boot } = group;
  const open = pageOf(ledger);
  open.lines += 1;
  writeSync(open.fd, `${JSON.stringify({ pgid, ...owner, startTime, boot })}\n`);
}

function pageOf(ledger: string): Page {
  const known = pages.get(ledger);
  if (known === undefined) return turn(ledger, []);
  const { path, fd, lines } = known;
  // Somebody may have removed it: what is written to it then would be read by nobody.
  if (lines < MANY && fstatSync(fd).nlink > 0) return known;
  const living = livingNumbers();
  const kept = linesOf(textOf(path)).filter(({ pgid }) => living.has(pgid));
  const next = turn(ledger, kept);
  closeSync(fd);
  rmSync(path, { force: true });
  return next;
}

/** Opens a new page, which begins with these. */
function turn(ledger: string, kept: readonly Line[]): Page {
  mkdirSync(ledger, { recursive: true, mode: 0o700 });
  forgetEnded(ledger);
  // The same number may be another process's in a container that shares the folder.
  const path = join(ledger, `of-${process.pid}-${process.hrtime.bigint()}`);
  const open = { path, fd: openSync(path, 'ax', 0o600), lines: 0 };
  for (const line of kept) writeSync(open.fd, `${JSON.stringify(line)}\n`);
  pages.set(ledger, open);
  return open;
}

/** Notes something by a name of its own. Throws where it cannot be written. */
export function putNote(ledger: string, name: number | string, note: Note | { boot: string }): void {
  const write = () => writeFileSync(join(ledger, String(name)), JSON.stringify(note), { mode: 0o600 });
  try {
    write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(ledger, { recursive: true, mode: 0o700 });
    write();
  }
}

export function readNote(ledger: string, name: number | string): Note | null {
  try {
    return JSON.parse(readFileSync(join(ledger, String(name)), 'utf8')) as Note;
  } catch {
    return null;
  }
}

/** All notes, the pages read when they are first asked for. */
export function readNotes(ledger: string): NotesOf {
  let texts: string[] | null = null;
  return (number) => {
    texts ??= pagesIn(ledger).map((name) => textOf(join(ledger, name)));
    const agent = readNote(ledger, number);
    const groups = texts.flatMap((text) => linesOf(text, number));
    return agent === null ? groups : [agent, ...groups];
  };
}

type Line = Note & { pgid: number };

/** The lines of a page, or those of a number. What was being written when somebody was killed is no line. */
function linesOf(text: string, number?: number): Line[] {
  const start = number === undefined ? '{' : `{"pgid":${number},`;
  if (!text.includes(start)) return [];
  return text.split('\n').flatMap((line) => {
    try {
      return line.startsWith(start) ? [JSON.parse(line) as Line] : [];
    } catch {
      return [];
    }
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(ledger: string): string[] {
  try {
    return readdirSync(ledger);
  } catch {
    return [];
  }
}

const pagesIn = (ledger: string): string[] => namesIn(ledger).filter((name) => pageName.test(name));

const livingNumbers = (): Set<number> =>
  new Set(listProcesses().flatMap(({ pid, pgid, sid }) => [pid, pgid, sid]));

/**
 * Where there are many: agents that have ended, and what was noted by processes that have, unless something of theirs lives on.
 */
function forgetEnded(ledger: string): void {
  const names = namesIn(ledger);
  if (names.length < MANY && pagesIn(ledger).length < MANY_PAGES) return;
  const living = livingNumbers();
  for (const name of names) {
    const path = join(ledger, name);
    const [, owner] = pageName.exec(name) ?? [];
    const numbers = owner === undefined ? [name] : [owner, ...linesOf(textOf(path)).map(({ pgid }) => pgid)];
    if (numbers.every((number) => Number.isInteger(Number(number)) && !living.has(Number(number))))
      rmSync(path, { force: true });
  }
}
