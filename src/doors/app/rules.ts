import { parseDocument } from 'yaml';
import type { Door, ShownStep } from '../../core/contract/index.ts';
import {
  describeRule,
  narrowRule,
  type PolicyRule,
  parseRules,
  type RuleOrigin,
} from '../../core/risk/policy/index.ts';
import { folderFiles, obeyed, rewrite } from './agreed.ts';
import { AppError } from './errors.ts';
import { readIfThere } from './files.ts';
import type { Places } from './places.ts';
import { isTrusted } from './trust.ts';

export interface RulesQuery {
  places: Places;
  workspace: string;
  /** A file for this run alone (`--rules`). */
  file?: string | undefined;
}

/**
 * People's rules, from every file that may hold some. One mistake in any of them is an error: a deny rule that is
 * silently left out would be worse than none. Of a file that is no longer what a person agreed to, what they agreed to
 * holds, and what it forbids or asks now.
 */
export function loadRules({ places, workspace, file }: RulesQuery): PolicyRule[] {
  const [, project, local] = folderFiles(workspace) as [string, string, string];
  return [
    ...kept(places, places.rules, 'user', null),
    ...kept(places, project, 'project', workspace),
    ...kept(places, local, 'local', workspace),
    ...(file === undefined ? [] : ofFlag(file)),
  ];
}

function kept(places: Places, file: string, origin: RuleOrigin, workspace: string | null): PolicyRule[] {
  const { agreed, now, isAsAgreed } = obeyed(places, file, workspace === null);
  const read = (text: string | null | undefined) =>
    text == null ? [] : parsed(text, { origin, file, workspace }, `${file}: `);
  // Nobody was asked about a folder that is not trusted: what it allows is left out for that.
  if (isAsAgreed || (agreed === undefined && workspace !== null && !isTrusted(places, workspace)))
    return read(now);
  const before = read(agreed);
  const isKnown = ({ id }: PolicyRule): boolean => before.some((rule) => rule.id === id);
  return [
    ...before,
    ...unlessBroken(() => read(now)).filter((rule) => rule.effect !== 'allow' && !isKnown(rule)),
  ];
}

/** What nobody has agreed to keeps nobody from working, denying or cancelling. That it is not obeyed is said elsewhere. */
function unlessBroken(read: () => PolicyRule[]): PolicyRule[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'config-invalid') return [];
    throw error;
  }
}

function ofFlag(file: string): PolicyRule[] {
  const text = readIfThere(file);
  if (text === null) throw new AppError('file-missing', `there is no file ${file}`);
  return parsed(text, { origin: 'flags', file, workspace: null }, `${file}: `);
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
export async function allowHere(
  places: Places,
  workspace: string,
  { subject, verdict }: { subject: Pick<ShownStep['subject'], 'action'>; verdict: ShownStep['verdict'] },
  now: number,
  door: Door = 'terminal',
): Promise<string> {
  const made = narrowRule(subject.action, verdict, {
    workspace,
    now,
    by: door,
    expires: now + KEPT_MS,
  });
  if (!made.ok) return `No rule was made: ${made.why}`;
  await addUserRule(places, made.rule);
  return `From now on: ${describeRule(made.rule)}. planwright rules remove ${made.rule.id} takes it back.`;
}

async function addUserRule(places: Places, rule: PolicyRule): Promise<void> {
  const { origin: _origin, ...written } = rule;
  if (userRules(places).some(({ id }) => id === rule.id)) return;
  await rewrite(places, places.rules, (before) => {
    const document = parseDocument(before || 'rules: []\n');
    document.addIn(['rules'], document.createNode(written));
    return document.toString();
  });
}

const userRules = (places: Places): PolicyRule[] => kept(places, places.rules, 'user', null);

/** The user's file as it stands; empty where there is none. */
export const userRulesText = (places: Places): string => readIfThere(places.rules) ?? '';

/** Replaces the user's file. Throws an AppError, and changes nothing, where a rule in the text is wrong. */
export async function replaceUserRules(places: Places, text: string): Promise<void> {
  parsed(text, { origin: 'user', file: places.rules, workspace: null }, '');
  await rewrite(places, places.rules, () => text, { wholly: true });
}

/** Takes a rule out of the user's file; false where it has none with this id. */
export async function removeUserRule(places: Places, id: string): Promise<boolean> {
  const at = userRules(places).findIndex((rule) => rule.id === id);
  if (at < 0) return false;
  await rewrite(places, places.rules, (before) => {
    const document = parseDocument(before ?? '');
    document.deleteIn(['rules', at]);
    return document.toString();
  });
  return true;
}
