import type { PolicyRule } from './rule.ts';

/** One line for a person: `allow-1a2b3c4d  allow \`npm publish\` in /home/me/app, until 2027-01-31 (me)`. */
export function describeRule(rule: PolicyRule): string {
  const what = [
    ...(rule.command === undefined ? [] : [`\`${short(rule.command)}\``]),
    ...(rule.prefix ? [`\`${short(rule.prefix.join(' '))} …\``] : []),
    ...(rule.action === undefined || rule.command !== undefined || rule.prefix ? [] : [rule.action]),
    ...(rule.paths ? [`touching ${listed(rule.paths)}`] : []),
  ].join(' ');
  const where = rule.scope === null ? '' : ` in ${rule.scope}`;
  const until = rule.expires === undefined ? '' : `, until ${dayOf(rule.expires)}`;
  const why = rule.reason === undefined ? '' : `: ${short(rule.reason)}`;
  const who = rule.by === null ? rule.origin : `${rule.by}, ${rule.origin}`;
  return `${rule.id}  ${rule.effect} ${what}${where}${until}${why} (${who})`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 2).join(', ');
  return paths.length > 2 ? `${shown} and ${paths.length - 2} more` : shown;
}

/** The calendar day, in UTC. */
function dayOf(instant: number): string {
  const days = Math.floor(instant / 86_400_000) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
