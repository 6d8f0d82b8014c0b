import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type Document as YamlDocument,
} from 'yaml';
import type { Plan, PlanPatch, Step } from '../../contract/index.ts';
import { applyPatch } from '../change/patch.ts';
import { parsePlanFile } from './parse.ts';
import { toFileItem } from './print.ts';
import { stepResolver } from './references.ts';

export type EditedFile = { ok: true; text: string } | { ok: false; reason: string };

/**
 * The plan file with a patch applied to it, comments and untouched lines kept. Ids that the reader gives by position
 * (`s1`, `s2`…) follow the new positions, and references to them follow too; so the file reads back as the patched plan
 * up to the names of such ids. Never throws.
 */
export function editPlanFile(text: string, patch: PlanPatch): EditedFile {
  const parsed = parsePlanFile(text, { file: 'plan' });
  if (!parsed.ok)
    return { ok: false, reason: `The file is not a plan: ${parsed.problems[0]?.message ?? ''}` };
  const patched = applyPatch(parsed.plan, patch);
  if (!patched.ok) return patched;
  const isJson = /^\s*\{/.test(text) && isStrictJson(text);
  const document = parseDocument(text, { keepSourceTokens: false });
  const failed = rebuild(document, parsed.plan, patched.plan);
  if (failed !== null) return { ok: false, reason: failed };
  const edited = isJson
    ? `${JSON.stringify(document.toJS(), null, /\n( +|\t)"/.exec(text)?.[1] ?? 2)}\n`
    : document.toString(styleOf(text));
  const back = parsePlanFile(edited, { file: 'plan' });
  const same = back.ok && meaning(back.plan) === meaning(patched.plan);
  return same
    ? { ok: true, text: edited }
    : { ok: false, reason: 'The file is written in a way that cannot be edited in place.' };
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The habits of a file, so that an edit does not restyle it. */
function styleOf(text: string) {
  const indent = /\n( +)(?=\S)/.exec(text)?.[1]?.length ?? 2;
  return {
    lineWidth: 0,
    indent: Math.min(Math.max(indent, 1), 8),
    indentSeq: !/\nplan:[^\n]*\n(?:\s*(?:#[^\n]*)?\n)*- /.test(`\n${text}`),
    flowCollectionPadding: /\[ /.test(text),
  };
}

/** Puts the items of the new plan into the document. Null, or why it could not. */
function rebuild(document: YamlDocument.Parsed, before: Plan, after: Plan): string | null {
  const list = document.get('plan');
  if (!isSeq(list)) return 'The file has no list of steps.';
  if (!list.items.every((item) => isMap(item)))
    return 'The file has steps that are aliases: write them out first.';
  const items = list.items as YAMLMap[];
  const old = new Map(before.steps.map((step, index) => [step.id, { step, item: items[index]! }]));
  const made = after.steps.map((step, index) => {
    const known = old.get(step.id);
    if (known === undefined) return createItem(document, step, index);
    updateItem(document, known.item, known.step, step, index);
    return known.item;
  });
  list.items = made;
  made.forEach((item, index) => {
    const number = item.get('step');
    if (typeof number === 'number') item.set('step', index + 1);
  });
  const fileIds = made.map((item, index) =>
    typeof item.get('id') === 'string' ? (item.get('id') as string) : `s${index + 1}`,
  );
  if (new Set(fileIds).size < fileIds.length) return 'An id of the file would be taken twice.';
  keepReferences(document, made, after, fileIds);
  return null;
}

/** An id that the reader or a mutation made up: it is not written into files. */
const isMadeUp = (id: string) => /^s\d+x*(?:-r\d+-\d+)*$/.test(id);

function createItem(document: YamlDocument.Parsed, step: Step, index: number): YAMLMap {
  const { after, id, step: title, ...rest } = toFileItem(step, index);
  const named = isMadeUp(step.id) ? {} : { id: step.id };
  const item = document.createNode({ step: title, ...named, ...rest }) as YAMLMap;
  const run = item.get('run', true);
  if (isScalar(run)) run.type = Scalar.BLOCK_LITERAL;
  return item;
}

function updateItem(
  document: YamlDocument.Parsed,
  item: YAMLMap,
  before: Step,
  after: Step,
  index: number,
): void {
  const [was, is] = [toFileItem(before, index), toFileItem(after, index)] as Record<string, unknown>[];
  for (const key of ['step', 'why', 'expects', 'undo', 'timeout', 'interactive']) {
    if (JSON.stringify(was![key]) === JSON.stringify(is![key])) continue;
    if (is![key] === undefined) item.delete(key);
    else item.set(key, is![key]);
  }
  if (JSON.stringify(before.action) === JSON.stringify(after.action)) return;
  const key = 'run' in is! ? 'run' : 'action';
  const pair = (item.items as Pair[]).find(
    (each) => isScalar(each.key) && (each.key.value === 'run' || each.key.value === 'action'),
  )!;
  const same = isScalar(pair.key) && pair.key.value === key;
  if (isScalar(pair.key)) pair.key.value = key;
  if (same && isScalar(pair.value)) {
    pair.value.value = is![key];
    return;
  }
  const node = document.createNode(is![key]) as Scalar;
  if (key === 'run') node.type = Scalar.BLOCK_LITERAL;
  pair.value = node;
}

/** Leaves `after` as it is written where it still means the same steps, and writes numbers where it does not. */
function keepReferences(
  document: YamlDocument.Parsed,
  items: readonly YAMLMap[],
  plan: Plan,
  fileIds: readonly string[],
): void {
  const positions = new Map(plan.steps.map((step, index) => [step.id, index]));
  const resolve = stepResolver(
    plan.steps.map((step, index) => ({ id: fileIds[index]!, title: titleIn(items[index]!, step) })),
  );
  items.forEach((item, index) => {
    const wanted = (plan.steps[index]!.after ?? []).map((id) => positions.get(id)!);
    const written = writtenAfter(item);
    const found = new Set(
      written.map((reference) => resolve(reference)).map((each) => (each.ok ? each.id : null)),
    );
    const wantedIds = new Set(wanted.map((position) => fileIds[position]!));
    if (found.size === wantedIds.size && [...found].every((id) => id !== null && wantedIds.has(id))) return;
    if (wanted.length === 0) {
      item.delete('after');
      return;
    }
    const list = document.createNode(wanted.map((position) => position + 1));
    if (isSeq(list)) list.flow = true;
    item.set('after', list);
  });
}

const titleIn = (item: YAMLMap, step: Step) => {
  const title = item.get('step');
  return typeof title === 'string' ? title.trim() : step.title;
};

function writtenAfter(item: YAMLMap): (string | number)[] {
  const node = item.get('after');
  const list = isSeq(node)
    ? node.items.map((each) => (isScalar(each) ? each.value : null))
    : node === undefined
      ? []
      : [node];
  return list.filter((each) => typeof each === 'string' || typeof each === 'number');
}

/** What a plan says, with ids replaced by positions and what belongs to runs left out. */
function meaning(plan: Plan): string {
  const positions = new Map(plan.steps.map((step, index) => [step.id, index]));
  const steps = plan.steps.map((step, index) => {
    const { id, after, ...rest } = toFileItem(step, index);
    return [
      rest,
      (after === undefined ? [] : [after].flat()).map((each) => positions.get(String(each))).sort(),
    ];
  });
  return JSON.stringify([plan.goal, plan.mode, plan.shell, plan.inputs, steps]);
}
