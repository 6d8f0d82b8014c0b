import type { SimpleAction } from '../../contract/index.ts';

/**
 * The action language as a table, read by the parser and by the printer, so that the two cannot disagree.
 *
 *   path    a word without spaces, or a "string"
 *   string  a "string" with JSON's escapes
 *   rest    all that is left of the line as it stands; or, if that is exactly one "string", its text
 *   key     letters, digits and underscores
 *   name    of a service: letters, digits, - and _
 *   word    that very word
 *   flag    that very word or nothing
 *   json    a JSON object, or nothing for {}
 */
export type Slot =
  | {
      slot: 'path' | 'string' | 'rest' | 'key' | 'name' | 'json';
      field: string;
      label: string;
      empty?: boolean;
    }
  | { slot: 'word'; word: string }
  | { slot: 'flag'; word: string; field: string };

export interface Form {
  keyword: string;
  kind: SimpleAction['kind'];
  slots: readonly Slot[];
  usage: string;
}

const path = (field: string, label = 'path'): Slot => ({ slot: 'path', field, label });
const string = (field: string, label: string, empty = false): Slot => ({
  slot: 'string',
  field,
  label,
  empty,
});
const rest = (field: string, label: string): Slot => ({ slot: 'rest', field, label });
const name: Slot = { slot: 'name', field: 'name', label: 'service name' };
const as: readonly Slot[] = [
  { slot: 'word', word: 'AS' },
  { slot: 'key', field: 'as', label: 'key' },
];

function form(keyword: string, kind: SimpleAction['kind'], slots: readonly Slot[], usage: string): Form {
  return { keyword, kind, slots, usage: `${keyword} ${usage}` };
}

const content = string('content', 'content', true);

export const FORMS: readonly Form[] = [
  form('RUN_COMMAND', 'run-command', [rest('command', 'command')], 'npm test'),
  form('RUN_SCRIPT', 'run-script', [rest('script', 'script')], '"first line\\nsecond line"'),
  form(
    'START',
    'start',
    [name, { slot: 'flag', word: 'KEEP', field: 'keep' }, rest('command', 'command')],
    'name command',
  ),
  form('STOP', 'stop', [name], 'name'),
  form('WRITE_FILE', 'write-file', [path('path'), content], 'path "content"'),
  form('APPEND_FILE', 'append-file', [path('path'), content], 'path "content"'),
  form(
    'EDIT_FILE',
    'edit-file',
    [path('path'), string('old', 'old text'), string('new', 'new text', true)],
    'path "old" "new"',
  ),
  form('CREATE_DIR', 'create-dir', [path('path')], 'path'),
  form('COPY_PATH', 'copy-path', [path('from'), path('to', 'second path')], 'from to'),
  form('MOVE_PATH', 'move-path', [path('from'), path('to', 'second path')], 'from to'),
  form('DELETE_PATH', 'delete-path', [path('path')], 'path'),
  form('LIST_FILES', 'list-files', [path('pattern', 'pattern'), ...as], 'src/**/*.ts AS key'),
  form('READ_FILE', 'read-file', [path('path'), ...as], 'path AS key'),
  form(
    'CALL_TOOL',
    'call-tool',
    [path('tool', 'tool name'), { slot: 'json', field: 'args', label: 'arguments' }],
    'name {"json": "args"}',
  ),
  form('ASK', 'ask', [string('question', 'question'), ...as], '"question?" AS key'),
  form('MANUAL', 'manual', [rest('text', 'text')], '"what the person does"'),
];

export const LOOP_USAGE = {
  FOR_EACH: 'FOR_EACH key DO action',
  REPEAT: 'REPEAT 3 DO action',
} as const;

export const KEYWORDS: readonly string[] = [...FORMS.map((each) => each.keyword), ...Object.keys(LOOP_USAGE)];

const byKeyword = new Map(FORMS.map((each) => [each.keyword, each]));
const byKind = new Map(FORMS.map((each) => [each.kind, each]));

export const formOfKeyword = (keyword: string): Form | undefined => byKeyword.get(keyword);
export const formOfKind = (kind: SimpleAction['kind']): Form => byKind.get(kind)!;

export const KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
export const MAX_LOOP_ITEMS = 10_000;
