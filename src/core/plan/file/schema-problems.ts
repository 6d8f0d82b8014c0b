import type { z } from 'zod';
import { capital } from '../../contract/index.ts';
import { suggest } from '../nearest.ts';
import { MAX_PROBLEMS } from '../problem.ts';
import { PlanFile, PlanFileItem } from './schema.ts';
import { childOf, faultAt, nodeAt, pairOf, type ReadFault, type Tree } from './tree.ts';

/** What the schema has against the file, each at its place. */
export function schemaFaults(tree: Tree, value: unknown): ReadFault[] {
  const result = PlanFile.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => faultsOf(tree, issue));
}

function faultsOf(tree: Tree, issue: z.core.$ZodIssue): ReadFault[] {
  const node = nodeAt(tree, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys((issue.path[0] === 'plan' ? PlanFileItem : PlanFile).shape);
    const inInput = issue.path[0] === 'inputs';
    return issue.keys.slice(0, MAX_PROBLEMS + 1).map((key) => ({
      code: 'unknown-key',
      message: `\`${shorten(key)}\` is not a key of ${place(issue.path)}.`,
      pos: pairOf(node, key)?.pos ?? node.pos,
      mend: suggestKey(key, inInput ? ['name', 'description', 'default', 'secret'] : known),
    }));
  }
  const last = issue.path.at(-1);
  const name = typeof last === 'string' ? `\`${last}\`` : capital(place(issue.path));
  const parent = nodeAt(tree, issue.path.slice(0, -1));
  if (last !== undefined && childOf(parent, last) === undefined) {
    const message = `${name} is missing from ${place(issue.path.slice(0, -1))}.`;
    return [faultAt(parent.pos, 'missing-key', message, `Add \`${String(last)}\`: ${issue.message}.`)];
  }
  const code = issue.code === 'too_big' && last === 'plan' ? 'too-many-steps' : 'wrong-type';
  return [{ code, message: `${name} must be ${issue.message}.`, pos: node.pos, mend: mendOf(node) }];
}

/** What other tools call our keys. */
const SYNONYMS: Record<string, string> = {
  steps: 'plan',
  tasks: 'plan',
  title: 'step',
  name: 'step',
  command: 'action',
  cmd: 'action',
  script: 'run',
  needs: 'after',
  depends_on: 'after',
  dependencies: 'after',
  description: 'why',
  variables: 'inputs',
  vars: 'inputs',
};

function suggestKey(key: string, known: readonly string[]): string {
  const meant = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key]! : null;
  return meant !== null && known.includes(meant) ? `Here it is called \`${meant}\`.` : suggest(key, known);
}

function mendOf(node: Tree): string {
  const found = node.kind === 'map' ? 'a map' : node.kind === 'seq' ? 'a list' : JSON.stringify(node.value);
  return `It is ${shorten(found)} now.`;
}

function place(path: readonly PropertyKey[]): string {
  if (path[0] === 'plan' && typeof path[1] === 'number') return `step ${path[1] + 1}`;
  if (path[0] === 'inputs' && typeof path[1] === 'number') return `input ${path[1] + 1}`;
  return 'the file';
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
