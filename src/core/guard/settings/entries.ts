import type { GuardedAgent } from '../../contract/guard/index.ts';
import { addEntries, type Edited, type EntriesByEvent, entriesIn, removeEntries } from './edit.ts';
import { asLine, type HookProgram, MARK, wordsAfter, wordsBefore } from './line.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import { addTables, hasTables, removeTables, tables } from './toml.ts';

/** The agent's own limit: behind that of the line, which would be taken for no objection. */
const SECONDS = 30;

type Lines = { before: string; after: string };
const ofClaude = (matcher: object, hook: object, more: object) => (line: string, isBefore: boolean) => ({
  ...matcher,
  hooks: [{ type: 'command', command: line, ...hook, ...(isBefore ? more : {}) }],
});

const claudeEntry = ofClaude({ matcher: '*' }, { timeout: SECONDS }, { onFailure: 'block' });
const codexEntry = ofClaude({}, { timeout: SECONDS }, {});
const geminiEntry = ofClaude({ matcher: '.*' }, { name: MARK, timeout: SECONDS * 1000 }, {});

/** What each agent's file has to say, event by event. */
const rows: Readonly<Record<Exclude<GuardedAgent, 'opencode'>, (lines: Lines) => EntriesByEvent>> = {
  'claude-code': ({ before, after }) => ({
    PreToolUse: [claudeEntry(before, true)],
    PostToolUse: [claudeEntry(after, false)],
    PostToolUseFailure: [claudeEntry(after, false)],
  }),
  codex: ({ before, after }) => ({
    PreToolUse: [codexEntry(before, true)],
    PostToolUse: [codexEntry(after, false)],
  }),
  gemini: ({ before, after }) => ({
    BeforeTool: [geminiEntry(before, true)],
    AfterTool: [geminiEntry(after, false)],
  }),
  cursor: ({ before, after }) => ({
    beforeShellExecution: [{ command: before, timeout: SECONDS, failClosed: true }],
    preToolUse: [{ command: before, timeout: SECONDS, failClosed: true }],
    afterShellExecution: [{ command: after, timeout: SECONDS }],
    postToolUse: [{ command: after, timeout: SECONDS }],
  }),
  copilot: ({ before, after }) => ({
    preToolUse: [{ type: 'command', bash: before, timeoutSec: SECONDS }],
    postToolUse: [{ type: 'command', bash: after, timeoutSec: SECONDS }],
  }),
};

/** Of files that have a version in them, where there is none yet. */
const fresh: Partial<Record<GuardedAgent, object>> = { cursor: { version: 1 }, copilot: { version: 1 } };

/** Every text in it, however deep. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

export const isOurs = (entry: unknown): boolean =>
  textsIn(entry).some((text) => text.includes(MARK) && text.includes('guard'));

const isToml = (file: string): boolean => file.endsWith('.toml');

/** The settings with the guard in them. What was put in before is taken out first: twice is once. */
export function withGuard(
  agent: GuardedAgent,
  { file, text, before }: { file: string; text: string; before: string | null },
  program: HookProgram,
): Edited {
  const words = { before: wordsBefore(agent, program), after: wordsAfter(agent, program) };
  if (agent === 'opencode') return { ok: true, text: opencodePlugin(words.before, words.after) };
  const entries = rows[agent]({ before: asLine(words.before), after: asLine(words.after) });
  const wanted = Object.values(entries).flat();
  const there = isToml(file) ? [] : entriesIn(text).filter(isOurs);
  if (isToml(file) ? text.includes(tables(entries)) : JSON.stringify(there) === JSON.stringify(wanted))
    return { ok: true, text };
  const cleared = withoutGuard(agent, { file, text, before });
  if (!cleared.ok) return cleared;
  return isToml(file) ? addTables(cleared.text, entries) : addEntries(cleared.text, entries, fresh[agent]);
}

export function withoutGuard(
  agent: GuardedAgent,
  { file, text, before }: { file: string; text: string; before: string | null },
): Edited {
  if (agent === 'opencode') return { ok: true, text: '' };
  if (isToml(file)) return removeTables(text, before);
  return text.includes(MARK) ? removeEntries(text, isOurs, before) : { ok: true, text };
}

export const hasGuard = (agent: GuardedAgent, file: string, text: string): boolean =>
  agent === 'opencode' ? text.includes(MARK) : isToml(file) ? hasTables(text) : entriesIn(text).some(isOurs);
