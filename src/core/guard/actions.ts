import type { GuardedAgent } from '../contract/guard/index.ts';
import type { SimpleAction } from '../contract/index.ts';
import { argumentsAsText } from '../shell/index.ts';
import { type Fields, isFields, type NotRead, textIn } from './format.ts';
import { patchActions } from './patch.ts';

/** What a tool's words mean here: what it would run, write, or read. */
type Reading = (input: Fields) => SimpleAction[] | NotRead;

const missing = (what: string): NotRead => ({ problem: `the call says no ${what}` });

const paths = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'target_file'];

/**
 * All that the call gives by one of these names, each once. Which of them a tool goes by is not known here: whoever says two
 * is judged by both.
 */
function textsIn(input: Fields, ...names: string[]): string[] {
  const given = names.map((name) => input[name]);
  return [...new Set(given.filter((value) => typeof value === 'string' && value !== ''))] as string[];
}

const runs: Reading = (input) => {
  const { command } = input;
  const words = Array.isArray(command) ? wordsOf(command) : null;
  const texts = [...(words === null ? [] : [words]), ...textsIn(input, 'command', 'cmd', 'script')];
  if (texts.length === 0 || (Array.isArray(command) && words === null)) return missing('command');
  return texts.flatMap((text) => [shellAction(text), ...patchesIn(text)]);
};

const shellAction = (text: string): SimpleAction =>
  text.includes('\n') ? { kind: 'run-script', script: text } : { kind: 'run-command', command: text };

/** Agents that have a tool for patches apply them themselves where a shell command names it. */
function patchesIn(text: string): SimpleAction[] {
  const named = /(?:\bcd\s+(?:'([^']*)'|"([^"]*)"|(\S+))\s*&&\s*)?\bapply_?patch\b/.exec(text);
  return named === null ? [] : (patchActions(text, named[1] ?? named[2] ?? named[3]) ?? []);
}

/** Keys that end a program, or answer its question. */
const keys = /^(?:y|n|q|yes|no)?[\r\n\x03\x04]*$/i;

/** What is typed into a program that runs already; nothing, where it is only looked at. */
const types: Reading = (input) =>
  textsIn(input, 'chars', 'input', 'text')
    .filter((text) => !keys.test(text))
    .map(shellAction);

function wordsOf(words: readonly unknown[]): string | null {
  const all = words.filter((word) => typeof word === 'string');
  return all.length !== words.length || all.length === 0 ? null : argumentsAsText(all);
}

const writes: Reading = (input) => {
  const content = input['content'] ?? input['new_source'] ?? input['contents'] ?? input['file_text'] ?? '';
  const to = textsIn(input, ...paths);
  if (to.length === 0) return missing('path');
  if (typeof content !== 'string') return missing('content');
  return to.map((path) => ({ kind: 'write-file', path, content }));
};

const edits: Reading = (input) => {
  const to = textsIn(input, ...paths);
  if (to.length === 0) return missing('path');
  const listed = Array.isArray(input['edits']) ? input['edits'].filter(isFields) : [];
  const isOne = listed.length === 0 || [...olds, ...news].some((name) => name in input);
  return [...(isOne ? [input] : []), ...listed].flatMap((edit) =>
    [...new Set([...to, ...textsIn(edit, ...paths)])].map((path) => editOf(path, edit)),
  );
};

const olds = ['old_string', 'oldString', 'old_str'];
const news = ['new_string', 'newString', 'new_str'];

/** An edit with nothing to replace writes the file. */
function editOf(path: string, edit: Fields): SimpleAction {
  const old = textIn(edit, ...olds);
  const content = textIn(edit, ...news, 'file_text') ?? '';
  return old === null
    ? { kind: 'write-file', path, content }
    : { kind: 'edit-file', path, old, new: content };
}

/** A file or a folder, and patterns of the names below it that are meant. */
const reads: Reading = (input) => {
  const at = textsIn(input, ...paths, 'dir_path');
  const several = ['paths', 'include', 'include_pattern', 'glob'].flatMap((name) => input[name]);
  const patterns = several.filter((one) => typeof one === 'string' && /^[^!]/.test(one)) as string[];
  const below = at.flatMap((folder) => patterns.map((pattern) => `${folder}/${pattern}`));
  return [...new Set([...at, ...patterns, ...below])].map((path) => ({ kind: 'read-file', path, as: 'it' }));
};

/** One tool that looks and changes: its command says which. */
const looksOrEdits: Reading = (input) => (input['command'] === 'view' ? reads : edits)(input);

const removes: Reading = (input) => {
  const from = textsIn(input, ...paths);
  return from.length === 0 ? missing('path') : from.map((path) => ({ kind: 'delete-path', path }));
};

const patches: Reading = (input) => {
  const texts = textsIn(input, 'command', 'patch', 'input', 'patchText', 'patch_text');
  if (texts.length === 0) return missing('patch');
  const read = texts.map((text) => patchActions(text));
  return read.includes(null) ? { problem: 'the patch cannot be read' } : read.flatMap((all) => all ?? []);
};

/** A watch runs a command, or listens to an address. */
const watches: Reading = (input) => ('command' in input ? runs(input) : []);

/** Several calls in one, of which the agent tells nothing more. */
const batches: Reading = (input) => {
  const calls = input['tool_calls'];
  if (!Array.isArray(calls)) return missing('calls');
  const all: SimpleAction[] = [];
  for (const call of calls.map((one) => (isFields(one) ? one : {}))) {
    const tool = textIn(call, 'tool');
    if (tool === null || tool === 'batch') return missing('tool');
    const read = actionsOf(tool, call['parameters']);
    if (read !== null && 'problem' in read) return read;
    const given = isFields(call['parameters']) ? call['parameters'] : {};
    if (textIn(given, 'workdir') !== null)
      return { problem: 'one of several calls names a folder of its own: make it by itself' };
    all.push(...(read ?? []));
  }
  return all;
};

const table = (reading: Reading, names: string): [string, Reading][] =>
  names.split(' ').map((name) => [name, reading]);

/**
 * The tools of all agents that run, write or read something, by the names that their documentation has (November 2026). A name
 * means the same wherever it is used; what is not here is a tool that is not known.
 */
const tools: ReadonlyMap<string, Reading> = new Map([
  ...table(
    runs,
    'Bash bash Shell shell shell_command run_shell_command local_shell exec_command run_terminal_cmd powershell PowerShell',
  ),
  ...table(types, 'write_stdin write_bash write_powershell'),
  ...table(watches, 'Monitor'),
  ...table(batches, 'batch'),
  ...table(writes, 'Write write write_file create create_file NotebookEdit'),
  ...table(edits, 'Edit edit MultiEdit multiedit replace StrReplace search_replace str_replace TabWrite'),
  ...table(removes, 'Delete delete_file'),
  ...table(patches, 'apply_patch patch'),
  ...table(looksOrEdits, 'str_replace_editor str_replace_based_edit_tool'),
  ...table(reads, 'Read read read_file read_many_files view Grep grep grep_search search_file_content'),
]);

/** The language of what a tool runs. */
export const shellOf = (tool: string): 'bash' | 'pwsh' => (/powershell/i.test(tool) ? 'pwsh' : 'bash');

/** The agents that have a tool to write to what they run. Codex does not tell its hook of it. */
const typists: ReadonlySet<GuardedAgent> = new Set(['codex', 'copilot']);

/** Whether what a tool runs can be written to later, or this is what is written. Null where nobody can. */
export function typedOf(agent: GuardedAgent, tool: string): 'later' | 'now' | null {
  if (tools.get(tool) === types) return 'now';
  return typists.has(agent) ? 'later' : null;
}

/** Null for a tool that is not known. */
export function actionsOf(tool: string, input: unknown): readonly SimpleAction[] | NotRead | null {
  const reading = tools.get(tool);
  if (reading === undefined) return null;
  // A patch that is a text of its own.
  if (typeof input === 'string') return reading({ command: input });
  return isFields(input) ? reading(input) : { problem: `the call of ${tool} has no arguments` };
}
