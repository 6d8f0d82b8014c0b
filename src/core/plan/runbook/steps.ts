import {
  describeAction,
  type Shell,
  type Step,
  shellText,
  type WrittenAction,
} from '../../contract/index.ts';
import { stepResolver } from '../file/references.ts';
import type { Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import type { Block } from './blocks.ts';
import { wantsTerminal, whatElse, whyNot } from './leave-out.ts';
import { saidOf } from './said.ts';
import { asideServer, type PageServer, serverIn } from './servers.ts';
import { type SessionCommand, splitSession } from './session.ts';
import { looksTyped, withoutOutput } from './shape.ts';
import { systemParts, type Way, wayOf } from './ways.ts';

/** A step of a runbook, and what is needed to pick it. */
export interface RunbookStep {
  step: Step;
  headings: readonly string[];
  name?: string;
  /** Left out unless it is picked: `excludeFromRunAll`, or `skip` in a comment. */
  excluded: boolean;
  /** Where it is one of several ways to do the same. */
  way?: Way;
  /** Another of them was taken: it runs only when it is picked. */
  other?: true;
}

/** A block, or a command of one, that is not run. */
export interface LeftOut {
  why: string;
  /** How to have it run all the same, where that is not by a comment before it. */
  mend?: string;
  headings: readonly string[];
  line: number;
}

/** What the reader may know of where the page would be run. */
export interface PageReading {
  file: string;
  shell: Shell;
  /** A person sits at a terminal: what wants one gets it. */
  terminal: boolean;
}

/** A part of a block, which may be for some systems only. */
type Piece = SessionCommand & { way?: Way | null };

interface Draft extends RunbookStep {
  after: readonly string[];
  line: number;
  /** It was recognised as one that goes on and answers at a port. */
  isServer?: boolean;
}

/** Makes steps of blocks. Goes through all of them whatever is wrong with some. */
export function stepsOf(
  blocks: readonly Block[],
  reading: PageReading,
): { steps: RunbookStep[]; left: LeftOut[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const ids = new Set<string>();
  const services = new Set<string>();
  const left: LeftOut[] = [];
  const drafts = onceStarted(
    blocks.flatMap((block) => draftsOf(block, reading, left, problems)),
    left,
  );
  const counts = new Map<string, number>();
  for (const draft of drafts) counts.set(sectionOf(draft), (counts.get(sectionOf(draft)) ?? 0) + 1);
  for (const [index, draft] of drafts.entries()) {
    const { step, name, way } = draft;
    const isId = name !== undefined && name !== way?.names[0] && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);
    step.id = unique(isId ? name : `s${index + 1}`, ids);
    step.title = titleOf(draft, counts.get(sectionOf(draft)) === 1);
    if (step.action.kind === 'start')
      step.action = { ...step.action, name: unique(step.action.name, services) };
  }
  resolveAfter(drafts, reading.file, problems);
  return { steps: drafts.map(({ after, line, isServer, ...step }) => step), left, problems };
}

/** A server that the page starts again, or another at its port, is left out: the first goes on. */
function onceStarted(drafts: readonly Draft[], left: LeftOut[]): Draft[] {
  const started = new Map<string, number>();
  const placeOf = new Map<string, string>();
  return drafts.filter(({ isServer, step, headings, line }) => {
    const text = (shellText(step.action) ?? '').replace(/^\s*#.*$/gm, '').trim();
    if (isServer === true) placeOf.set(text, step.expects ?? text);
    const at = placeOf.get(text);
    if (at === undefined) return true;
    const before = started.get(at);
    if (before === undefined) started.set(at, line);
    else left.push({ why: `line ${before} has started what answers there`, headings, line });
    return before === undefined;
  });
}

const sectionOf = (draft: Draft) => draft.headings.join('\n');

function unique(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  taken.add(name);
  return name;
}

function draftsOf(block: Block, reading: PageReading, left: LeftOut[], problems: Problem[]): Draft[] {
  const { file, shell, terminal } = reading;
  const complain = (message: string, mend: string, code: ProblemCode = 'wrong-comment') =>
    problems.push({ code, severity: 'error', message, source: { file, line: block.line, col: 1 }, mend });
  const leave = (why: string, line = block.line, mend?: string) =>
    left.push({ why, headings: block.headings, line, ...(mend !== undefined && { mend }) });
  const isSession = SESSIONS.has(block.lang);
  const session = shell === 'bash' ? splitSession(block.text, isSession) : null;
  // What its author says of it is stronger than what it looks like.
  const isRead = shell === 'bash' && !isTrue(block.comment.get('run')) && block.text.trim() !== '';
  const elsewise = isRead && session === null ? whatElse(block.text, block.lead, block.lang) : null;
  if (elsewise !== null) {
    leave(elsewise);
    return [];
  }
  if (isRead && isSession && session === null && !looksTyped(block.text)) {
    leave('it has no prompt, and what is typed cannot be told from what is printed');
    return [];
  }
  const name = block.comment.get('name') ?? block.fence.get('name');
  const background = isTrue(block.fence.get('background'));
  const near = `${block.lead}\n${block.tail}`;
  const typed = () => whole(block, session, isRead);
  const script = () => (isRead ? (systemParts(typed().text) ?? asideServer(typed(), near)) : [typed()]);
  const commands: readonly Piece[] = background ? [typed()] : (session ?? script());
  const exact = commands.length > 1 || (session !== null && !background);
  const lineOf = (command: SessionCommand) => (exact ? block.first + command.line : block.line);
  const filled = commands.filter((command) => {
    if (isComment(command.text)) return false;
    const why = isRead ? whyNot(command.text) : null;
    if (why !== null) leave(why, lineOf(command));
    return why === null;
  });
  const together = isRead
    ? wayOf(filled.map(({ text }) => text).join('\n'), block.headings, block.lead)
    : null;
  const { keys, undo } = saidOf(block, complain);
  const said = block.comment.get('interactive') ?? block.fence.get('interactive');
  const expects = block.comment.get('expects');
  const waits = new Map(
    filled.map((command) => [command, said === undefined && isRead ? wantsTerminal(command.text) : null]),
  );
  const runnable = filled.filter((command) => {
    const why = terminal ? null : waits.get(command);
    if (why != null)
      leave(`${why}, and no terminal is there`, lineOf(command), 'Run the page at a terminal.');
    return why == null;
  });
  // What stands below one command is its own; among several, whose it is cannot be told.
  const around = `${near}\n${runnable.length === 1 ? block.text : ''}`;
  const servers = new Map(
    runnable.map((command) => {
      const isBefore = session === null && command !== commands.at(-1);
      return [command, isRead && !background ? serverIn(command.text, isBefore ? '' : around) : null];
    }),
  );
  return runnable.map((command, index): Draft => {
    const interactive = isTrue(said) || waits.get(command) != null;
    const server = servers.get(command) ?? null;
    const [isFirst, isLast] = [index === 0, index === runnable.length - 1];
    const way = command.way === undefined ? together : command.way;
    const isPart = command.way != null;
    const called = name ?? (isPart || way?.isFor === null ? (way?.isFor ?? way?.names[0]) : undefined);
    const line = lineOf(command);
    const endLine = exact ? block.first + command.endLine : block.endLine;
    return {
      step: {
        id: '',
        title: '',
        action: actionOf(command.text, { background, session: session !== null, name, block, server }),
        ...(isLast && expects !== undefined && { expects }),
        ...((!isLast || expects === undefined) &&
          server?.port != null && { expects: `port ${server.port} open` }),
        ...(isLast && undo !== undefined && { undo }),
        ...(isFirst && block.why !== '' && { why: block.why }),
        source: { file, line, endLine },
        ...(interactive && { interactive }),
        ...keys,
      },
      headings: block.headings,
      ...(called !== undefined && { name: called }),
      ...(way !== null && { way }),
      excluded: isTrue(block.fence.get('excludeFromRunAll')) || isTrue(block.comment.get('skip')),
      isServer: server !== null,
      after: isFirst ? listOf(block.comment.get('after')) : [],
      line,
    };
  });
}

/** Languages of blocks that show a session: what follows a command is its output. */
const SESSIONS: ReadonlySet<string> = new Set(
  'console shell-session shellsession sh-session bash-session'.split(' '),
);

/** Nothing but comments, or nothing at all. */
const isComment = (text: string): boolean => text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));

const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true';
const listOf = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A block as one script; of a session, and where output stands below commands, only what was typed. */
function whole(block: Block, session: readonly SessionCommand[] | null, isRead: boolean): SessionCommand {
  // Nothing can be piped into a redirection: behind `|`, a shell has shown that its line goes on.
  const copied = isRead ? block.text.replace(/((?:\||&&)[ \t]*\\?\n)> /g, '$1') : block.text;
  const typed = isRead ? withoutOutput(copied).text : copied;
  const text = session === null ? typed : session.map((command) => command.text).join('\n');
  return { text: text.replace(/\n+$/, ''), line: 0, endLine: 0 };
}

function actionOf(
  text: string,
  about: {
    background: boolean;
    session: boolean;
    name: string | undefined;
    block: Block;
    server: PageServer | null;
  },
): WrittenAction {
  if (about.background || about.server !== null) {
    const called = about.name ?? about.server?.name ?? about.block.headings.at(-1) ?? 'service';
    const name = serviceName(called, about.block.line);
    return { kind: 'start', name, command: text, keep: false };
  }
  if (about.session && !text.includes('\n')) return { kind: 'run-command', command: text };
  return { kind: 'run-script', script: text };
}

function serviceName(text: string, line: number): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return slug === '' ? `service-${line}` : slug;
}

/** The heading, and the command too where several steps stand under it. */
function titleOf(draft: Draft, alone: boolean): string {
  const heading = draft.headings.at(-1);
  const described = describeAction(draft.step.action);
  if (heading === undefined) return described;
  return alone ? heading : `${heading}: ${described.replace(/^Run /, '')}`;
}

function resolveAfter(drafts: readonly Draft[], file: string, problems: Problem[]): void {
  const byHeading = new Map<string, string[]>();
  for (const { headings, step } of drafts) {
    const heading = headings.at(-1);
    if (heading === undefined) continue;
    const under = byHeading.get(heading);
    if (under === undefined) byHeading.set(heading, [step.id]);
    else under.push(step.id);
  }
  const resolve = stepResolver(drafts.map((draft) => draft.step));
  for (const draft of drafts) {
    const after = new Set<string>();
    for (const reference of draft.after) {
      const found = resolve(reference);
      const under = byHeading.get(reference);
      if (found.ok) after.add(found.id);
      else if (under !== undefined) for (const id of under) after.add(id);
      else {
        const source = { file, line: draft.line, col: 1 };
        problems.push({
          code: 'unknown-step',
          severity: 'error',
          message: found.message,
          step: draft.step.id,
          source,
          mend: found.mend,
        });
      }
    }
    if (after.size > 0) draft.step.after = [...after];
  }
}
