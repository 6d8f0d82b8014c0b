import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** This process's own pages, by their ledger. None is kept open: the disk of a store that was closed can be taken away. */
const pages = new Map<string, { name: string; lines: number }>();

/**
 * Notes a group that a run has started, before it runs. The journal has it too; this is where it is found by its number
 * alone. It is a line of a page: to make a file for each takes as long as to start it. Throws where it cannot be written.
 */
export function noteGroup(ledger: string, group: ProcessGroup, owner: { run: string; step: string }): void {
  const { pgid, startTime, boot } = group;
  const page = pageOf(ledger);
  page.lines += 1;
  put(ledger, page.name, asLine({ pgid, ...owner, startTime, boot }), 'a');
}

function pageOf(ledger: string): { name: string; lines: number } {
  const known = pages.get(ledger);
  if (known !== undefined && known.lines < MANY) return known;
  forgetEnded(ledger);
  // The same number may be another process's in a container that shares the folder.
  const next = { name: `of-${process.pid}-${process.hrtime.bigint()}`, lines: 0 };
  if (known !== undefined) turn(ledger, known.name, next.name);
  pages.set(ledger, next);
  return next;
}

/** The new page has what still lives of the old one before that goes. */
function turn(ledger: string, from: string, to: string): void {
  const path = join(ledger, from);
  const living = livingNumbers();
  const kept = linesOf(textOf(path)).filter(({ pgid }) => living.has(pgid));
  if (kept.length > 0) put(ledger, to, kept.map(asLine).join(''), 'wx');
  rmSync(path, { force: true });
}

/** Begun by a line break, so that what somebody was killed in, or a full disk cut off, spoils no line but its own. */
const asLine = (line: Line): string => `\n${JSON.stringify(line)}`;

function put(ledger: string, name: string, text: string, flag: 'a' | 'w' | 'wx'): void {
  const write = () => writeFileSync(join(ledger, name), text, { mode: 0o600, flag });
  try {
    write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(ledger, { recursive: true, mode: 0o700 });
    write();
  }
}

/** Notes something by a name of its own. Throws where it cannot be written. */
export const putNote = (ledger: string, name: number | string, note: Note | { boot: string }): void =>
  put(ledger, String(name), JSON.stringify(note), 'w');

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

/** The lines of a page, or those of a number. What is not whole is no line. */
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
