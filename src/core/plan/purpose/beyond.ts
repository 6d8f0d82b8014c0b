import type { Simple } from '../../shell/index.ts';
import { changed, type Purpose } from './verdict.ts';

/**
 * Flags by which a command goes past what stopped it, or does another thing than it did: they are a person's to give,
 * whichever brain or tool names them.
 */
const pushing =
  /^--(?:force(?:-\S+)?|overwrite|hard|no-verify|insecure|skip|cached|delete(?:-\S+)?|purge|prune)(?:=|$)/;

/** Short ones mean that of these programs only. */
const shortly: Readonly<Record<string, RegExp>> = {
  git: /^-(?:f|D|b|B|c|C)$/,
  docker: /^-f$/,
  podman: /^-f$/,
  brew: /^-f$/,
  npm: /^-f$/,
  gem: /^-f$/,
};

/** Options whose value says whom or where it is about: however near another one is, it is somebody else. */
const names =
  /^--?(?:user(?:name)?|owner|to|recipient|account|customer|client|tenant|org(?:ani[sz]ation)?|cluster|namespace|context|host(?:name)?|server|region|zone|env(?:ironment)?|stage|profile|database|db(?:name)?|bucket|subscription|domain|instance|device|disk|amount|price)$/i;

/** What the corrected command pushes past, or whom else it is about; null where neither. */
export function beyond(before: Simple, after: Simple): Purpose | null {
  const short = Object.hasOwn(shortly, after.program) ? shortly[after.program]! : null;
  const had = before.args.map(({ value }) => value);
  const flag = after.args.find(
    ({ value }, at) =>
      (pushing.test(value) || (short?.test(value) === true && isOption(after, at))) && !had.includes(value),
  );
  if (flag !== undefined) return changed(`With ${flag.value} it goes past what stopped it.`);
  const now = after.args.map(({ value }) => value);
  for (const [at, value] of had.entries()) {
    const [, option = '', own] = /^(--?[\w-]+)=(.*)$/s.exec(value) ?? [];
    if (own !== undefined && names.test(option) && !now.includes(value))
      return changed(`It takes another \`${option}\`.`);
    const previous = had[at - 1] ?? '';
    if (names.test(previous) && !value.startsWith('-') && !now.includes(value))
      return changed(`It takes another \`${previous}\` than \`${value}\`.`);
  }
  return null;
}

/** git's own options, such as `-c name=value`, stand before its verb. */
const isOption = ({ program, args }: Simple, at: number): boolean =>
  program !== 'git' || args.slice(0, at).some(({ value }) => /^[a-z]/.test(value));
