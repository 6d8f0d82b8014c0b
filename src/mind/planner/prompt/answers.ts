import { oneLine } from '../bound.ts';

/** What the fast model said, made fit to be shown and to be put into the next prompt. */

const LINE = /^\W*(WHO|WHAT|WHEN|WHERE|WHY)\W{0,4}[:\-–]\W*(.*)$/i;

/** The five lines, in their order; null where not even WHAT was said. */
export function readRestatement(text: string): string | null {
  const said = new Map<string, string>();
  for (const line of text.slice(0, 8000).split('\n')) {
    const match = LINE.exec(line);
    if (match === null || match[2]!.trim() === '') continue;
    const key = match[1]!.toUpperCase();
    if (!said.has(key)) said.set(key, oneLine(match[2]!.replace(/\*+$/, ''), 280));
  }
  if (!said.has('WHAT')) return null;
  return ['WHO', 'WHAT', 'WHEN', 'WHERE', 'WHY']
    .flatMap((key) => (said.has(key) ? [`${key}: ${said.get(key)}`] : []))
    .join('\n');
}

const MAX_HINTS = 5;

/** One hint a line, without its bullet. Lines that introduce something are left out. */
export function readHints(text: string): string[] {
  const lines = text
    .slice(0, 8000)
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[`{}[\]<]/.test(line) && !/:$/.test(line));
  const bullets = lines.filter((line) => /^(?:[-*•]|\d+[.)])\s/.test(line));
  const chosen = bullets.length > 0 ? bullets : lines;
  const hints = chosen.map((line) => oneLine(line.replace(/^(?:[-*•]|\d+[.)])\s+/, ''), 240));
  return [...new Set(hints)].slice(0, MAX_HINTS);
}
