import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { ApprovalState } from '../../core/contract/index.ts';
import {
  describeRule,
  narrowRule,
  type PolicyRule,
  parseRules,
  type RuleOrigin,
} from '../../core/risk/policy/index.ts';
import { AppError } from './errors.ts';
import { readIfThere, writePrivate } from './files.ts';
import type { Places } from './places.ts';

export interface RulesQuery {
  places: Places;
  workspace: string;
  /** A file for this run alone (`--rules`). */
  file?: string | undefined;
}

/**
 * People's rules, from every file that may hold some. One mistake in any of them is an error: a deny rule that is
 * silently left out would be worse than none.
 */
export function loadRules({ places, workspace, file }: RulesQuery): PolicyRule[] {
  const folder = join(workspace, '.planwright');
  return [
    ...read(places.rules, 'user', null),
    ...read(join(folder, 'rules.yaml'), 'project', workspace),
    ...read(join(folder, 'rules.local.yaml'), 'local', workspace),
    ...(file === undefined ? [] : read(file, 'flags', null, true)),
  ];
}

function read(file: string, origin: RuleOrigin, workspace: string | null, needed = false): PolicyRule[] {
  const text = readIfThere(file);
  if (text === null && needed) throw new AppError('file-missing', `there is no file ${file}`);
  return text === null ? [] : parsed(text, { origin, file, workspace }, `${file}: `);
}

/** Throws an AppError at the first mistake. */
function parsed(text: string, source: Parameters<typeof parseRules>[1], where: string): PolicyRule[] {
  const read = parseRules(decode(text, source.file), source);
  if (read.ok) return read.rules;
  const { at, message } = read.problems[0]!;
  throw new AppError('config-invalid', `${where}${at}: ${message}`);
}

function decode(text: string, file: string): unknown {
  const document = parseDocument(text);
  const broken = document.errors[0];
  if (broken !== undefined) throw new AppError('config-invalid', `${file}: ${broken.message}`);
  return document.toJS({ maxAliasCount: 0 });
}

/** "Always" is as long as a person remembers having said it. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** "Always allow here": the narrowest rule for what was shown, in the user's file. Says what it did, or why not. */
export function allowHere(
  places: Places,
  workspace: string,
  { subject, verdict }: ApprovalState,
  now: number,
): string {
  const made = narrowRule(subject.action, verdict, {
    workspace,
    now,
    by: 'terminal',
    expires: now + KEPT_MS,
  });
  if (!made.ok) return `No rule was made: ${made.why}`;
  addUserRule(places, made.rule);
  return `From now on: ${describeRule(made.rule)}. planwright rules remove ${made.rule.id} takes it back.`;
}

function addUserRule(places: Places, rule: PolicyRule): void {
  const { origin: _origin, ...written } = rule;
  const before = read(places.rules, 'user', null);
  if (before.some(({ id }) => id === rule.id)) return;
  const document = parseDocument(readIfThere(places.rules) || 'rules: []\n');
  document.addIn(['rules'], document.createNode(written));
  writePrivate(places.rules, document.toString());
}

/** The user's file as it stands; empty where there is none. */
export const userRulesText = (places: Places): string => readIfThere(places.rules) ?? '';

/** Replaces the user's file. Throws an AppError, and changes nothing, where a rule in the text is wrong. */
export function replaceUserRules(places: Places, text: string): void {
  parsed(text, { origin: 'user', file: places.rules, workspace: null }, '');
  writePrivate(places.rules, text);
}

/** Takes a rule out of the user's file; false where it has none with this id. */
export function removeUserRule(places: Places, id: string): boolean {
  const at = read(places.rules, 'user', null).findIndex((rule) => rule.id === id);
  if (at < 0) return false;
  const document = parseDocument(readIfThere(places.rules) ?? '');
  document.deleteIn(['rules', at]);
  writePrivate(places.rules, document.toString());
  return true;
}
