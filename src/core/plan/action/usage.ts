import type { ActionKind } from '../../contract/index.ts';
import { EXPECTS_FORMS } from '../expects/parse.ts';
import { FORMS, LOOP_USAGE } from './grammar.ts';

export interface ActionUsage {
  kind: ActionKind;
  keyword: string;
  /** One line that can be read back, or nearly: what stands for something else is a plain word. */
  usage: string;
  means: string;
}

/** What each kind of action does, in a few words, for whoever is to write one. */
const MEANS: Record<Exclude<ActionKind, 'restore'>, string> = {
  'run-command': 'one shell command on one line',
  'run-script': 'a shell script, its line breaks written as \\n',
  start:
    'a service that goes on; it is ready when `expects` holds, and ends with the run; KEEP lets it live on',
  stop: 'ends a service that START began',
  'write-file': 'the whole file, its folder must exist; line breaks written as \\n',
  'append-file': 'adds to the end of a file',
  'edit-file': 'replaces a text that occurs exactly once',
  'create-dir': 'a folder, with those above it',
  'copy-path': 'a file or a folder; `to` is the new name',
  'move-path': 'a file or a folder; `to` is the new name',
  'delete-path': 'a file or a folder with all in it',
  'list-files': 'makes the list `key` for FOR_EACH',
  'read-file': 'makes the text `key`, used as {key} in later actions',
  'call-tool': 'calls a tool with JSON arguments',
  ask: 'asks the person and makes the text `key`',
  manual: 'something that only the person can do',
  'for-each':
    'repeats one action for each file of a list that exists before; {item} is a full absolute path, one word',
  repeat: 'repeats one action; {index} counts from 0, {index:03d} pads it',
};

/** The action language, made from the table that the parser reads: what is told and what is read cannot differ. */
export const actionUsages: readonly ActionUsage[] = [
  ...FORMS.map(({ kind, keyword, usage }) => ({ kind, keyword, usage, means: MEANS[kind] })),
  { kind: 'for-each', keyword: 'FOR_EACH', usage: LOOP_USAGE.FOR_EACH, means: MEANS['for-each'] },
  { kind: 'repeat', keyword: 'REPEAT', usage: LOOP_USAGE.REPEAT, means: MEANS.repeat },
];

/** How the forms of `expects` that are checked are written, each once. */
export const expectsUsages: readonly string[] = [...new Set(EXPECTS_FORMS.map(({ usage }) => usage))];
