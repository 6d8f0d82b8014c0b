import { type Input, Mode, type Shell } from '../../contract/index.ts';
import { inputsOf, repeatedInputs } from '../file/inputs.ts';
import { lineTable } from '../file/line-table.ts';
import { readYaml } from '../file/read-yaml.ts';
import { childOf, nodeAt, toValue } from '../file/tree.ts';
import type { Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';

export interface FrontMatter {
  goal?: string;
  mode?: Mode;
  shell: Shell;
  inputs?: Input[];
}

/**
 * What the front matter says to Planwright: `goal`, `mode`, `shell`, `inputs`; `title` is a goal too. Other keys belong
 * to other tools and are left alone.
 */
export function readFrontMatter(
  text: string,
  firstLine: number,
  file: string,
): { front: FrontMatter; problems: Problem[] } {
  const problems: Problem[] = [];
  const front: FrontMatter = { shell: 'bash' };
  const lines = lineTable(text);
  const complain = (code: ProblemCode, pos: number, message: string, mend: string) => {
    const { line, col } = lines.at(pos);
    problems.push({
      code,
      severity: 'error',
      message,
      source: { file, line: firstLine + line - 1, col },
      mend,
    });
  };
  if (text.trim() === '') return { front, problems };
  const read = readYaml(text);
  if (!read.ok) {
    for (const fault of read.faults)
      complain(fault.code, fault.pos, `Front matter: ${fault.message}`, fault.mend);
    return { front, problems };
  }
  const value = (key: string) => {
    const node = childOf(read.tree, key);
    return node === undefined ? undefined : toValue(node);
  };
  const wrong = (key: string, wanted: string) =>
    complain(
      'wrong-type',
      nodeAt(read.tree, [key]).pos,
      `\`${key}\` must be ${wanted}.`,
      'Change it, or take it out.',
    );
  const goal = value('goal') ?? value('title');
  if (typeof goal === 'string' && goal.trim() !== '') front.goal = goal.trim();
  else if (value('goal') !== undefined) wrong('goal', 'what you want, in your words');
  const mode = Mode.safeParse(value('mode'));
  if (mode.success) front.mode = mode.data;
  else if (value('mode') !== undefined) wrong('mode', 'teacher, planner or agentic');
  const shell = value('shell');
  if (shell === 'pwsh') front.shell = 'pwsh';
  else if (shell !== undefined && shell !== 'bash' && shell !== 'sh' && shell !== 'zsh')
    wrong('shell', 'bash or pwsh');
  if (value('inputs') !== undefined) {
    const inputs = inputsOf(value('inputs'));
    if (inputs === null) wrong('inputs', 'a list of names, or of maps with `name`');
    else front.inputs = inputs;
    const whole = { inputs: value('inputs') };
    for (const fault of repeatedInputs(read.tree, whole))
      complain(fault.code, fault.pos, fault.message, fault.mend);
  }
  return { front, problems };
}
