import { count, listed } from './text.ts';
import { visible } from './visible.ts';

const few = 3;
const longest = 80;

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** Of a script its first line that does something, and how many there are: the whole stands above the question. */
function firstLine(command: string): string {
  const lines = command.split('\n').filter((line) => /^\s*[^\s#]/.test(line));
  return lines.length < 2 ? command : `${lines[0]!.trim()} … (${lines.length} lines)`;
}

/**
 * What is asked before a run, once its steps have been shown. Saying yes approves the dangerous ones, so it names them:
 * `dangerous` are their commands, in the order of the plan.
 */
export function agreementWords(steps: number, folder: string, dangerous: readonly string[]): string {
  const named = dangerous.map((command) => shortened(visible(firstLine(command))));
  const including =
    named.length === 0 ? '' : `, including ${count(named.length, 'dangerous step')}: ${listed(named, few)}`;
  return `Run ${count(steps, 'step')} in ${folder}${including}?`;
}
