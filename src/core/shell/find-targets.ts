import { readFilter } from './name-filter.ts';
import type { Operand, Target } from './target.ts';

/** Programs that change what `find` hands to them. */
const changes =
  /^(?:touch|mkdir|ln|install|rsync|gzip|gunzip|bzip2|xz|zstd|patch|ed|ex|n?vim?|dd|ruby|node|g?awk|black|prettier|rm|grm|unlink|rmdir|shred|mv|cp|chmod|chown|chgrp|chattr|truncate|sed|sh|bash|dash|zsh|perl|python3?|tee)$/;

/** `find START… EXPRESSION`: with `-delete` or an `-exec` that changes things, all that is found is touched. */
export function findTargets(operands: readonly Operand[]): Target[] {
  const words = operands.map(({ value }) => value);
  let begin = 0;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[begin] ?? '')) begin += words[begin] === '-D' ? 2 : 1;
  let end = begin;
  while (end < words.length && !/^(?:-.|\(|!|,)/.test(words[end] ?? '')) end += 1;
  const expression = words.slice(end);
  const runs = expression.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word ?? ''));
  const program = (expression[runs + 1] ?? '').replace(/^.*\//, '');
  const writes = expression.includes('-delete') || (runs !== -1 && changes.test(program));
  const follow = words.slice(0, begin).some((word) => word === '-L' || word === '-H');
  const filter = readFilter(runs === -1 ? expression : expression.slice(0, runs));
  return operands.slice(begin, end).map((_, at) => ({
    index: begin + at,
    skip: 0,
    follow,
    below: writes,
    writes,
    ...(writes ? { filter: runs === -1 ? filter : { ...filter, exact: false } } : {}),
  }));
}
