import {
  type ArithmeticFor,
  eachNode,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  type SyntaxNode,
  type While,
  wordsOf,
} from '../shell/index.ts';
import type { RuleInfo } from './types.ts';

export const forkBomb: RuleInfo = {
  id: 'fork-bomb',
  level: 'blocked',
  sentence: 'Starts copies of itself without end until the machine stops answering.',
};

export const spawnLoop: RuleInfo = {
  id: 'spawn-loop',
  level: 'dangerous',
  sentence: 'Starts processes in the background in a loop without end.',
};

/** A function that calls itself in the background or in a pipe. */
export function isForkBomb(node: FunctionNode): boolean {
  let found = false;
  const look = (child: SyntaxNode, spread: boolean): void => {
    if (found) return;
    if (child.type === 'Command' && child.name?.value === node.name.value && spread) found = true;
    const wider =
      spread || child.type === 'Pipeline' || (child.type === 'Statement' && child.background === true);
    forEachChild(child, (inner) => look(inner, wider));
  };
  look(node.body, false);
  return found;
}

/** Loops whose condition never changes, with a background process in the body. */
export function isSpawnLoop(node: While | ArithmeticFor): boolean {
  const spawns = node.body.commands.some((statement) => statement.background);
  if (!spawns) return false;
  if (node.type === 'ArithmeticFor') return node.test === undefined;
  const clause = node.clause.commands[0]?.command;
  const name = clause?.type === 'Command' ? (clause.name?.value.split('/').at(-1) ?? '') : '';
  return node.kind === 'while' ? ['true', ':'].includes(name) : name === 'false';
}

/** Where the last command stands that waits for background processes or ends them; -1 where one is let go for good. */
export function jobsEnd(script: ParsedScript): number {
  let end = 0;
  for (const statement of script.commands)
    eachNode(statement, (node) => {
      if (node.type !== 'Command' || end === -1) return;
      const [name = '', ...rest] = wordsOf(node);
      if (name === 'disown') end = -1;
      else if (
        /^(?:wait|fg)$/.test(name) ||
        (name === 'kill' && /[$%]/.test(node.args.map(({ text }) => text).join(' ')))
      )
        end = Math.max(end, node.end);
      else if (name === 'trap' && /\b(?:kill|wait)\b/.test(rest.join(' '))) end = Number.POSITIVE_INFINITY;
    });
  return end;
}
