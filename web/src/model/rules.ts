import type { RuleView } from '@contract';

/** How a rule is written, for a file that is still empty. */
export const ruleExample = `rules:
  - effect: deny
    prefix: git push
    reason: releases are made by CI
  - effect: ask
    paths: [infra/**]`;

/** What a rule is about, and on a line of its own where, until when, why and by whom it holds. */
export function ruleWords(rule: RuleView): { what: string; detail: string } {
  const { command, prefix, action, paths, reason, by } = rule as RuleView & Record<string, unknown>;
  const what = [
    ...(typeof command === 'string' ? [command] : []),
    ...(Array.isArray(prefix) ? [`${prefix.join(' ')} …`] : []),
    ...(typeof action === 'string' && command === undefined && prefix === undefined ? [action] : []),
    ...(Array.isArray(paths) ? [paths.join(', ')] : []),
  ];
  const detail = [
    rule.scope === null ? 'everywhere' : `in ${rule.scope}`,
    ...(rule.expires === undefined ? [] : [`until ${new Date(rule.expires).toISOString().slice(0, 10)}`]),
    ...(typeof reason === 'string' ? [reason] : []),
    ...(typeof by === 'string' ? [`made at the ${by}`] : []),
    ...(rule.origin === 'user' ? [] : [`of the ${rule.origin} file`]),
  ];
  return { what: what.join(' · '), detail: detail.join(' · ') };
}

/** What is remembered of a failure in general: what differs from time to time is left open. */
export const failureShape = (failure: string): string =>
  failure.replace(/<(?:\d+|n|path|hash|time)>/g, '…').replace(/(…[\s:]*)+…/g, '…');
