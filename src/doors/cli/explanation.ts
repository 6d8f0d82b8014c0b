import type { Action } from '../../core/contract/index.ts';
import { type Explanation, explain } from '../../core/risk/explain/index.ts';

const joints: Record<Explanation['commands'][number]['joined'], string> = {
  first: '',
  then: 'then ',
  and: 'and if that succeeds ',
  or: 'or else ',
  pipe: 'its output goes to ',
  inside: 'inside, ',
};

/** What a step does, word by word where that is known, for somebody who learns by watching. */
export function explanationLines(action: Action): string[] {
  const { summary, commands } = explain(action);
  const parts = commands.flatMap((command) => [
    `${joints[command.joined]}${command.name}: ${command.known ? command.does : 'not known'}`,
    ...command.words.filter(({ known }) => known).map(({ text, means }) => `  ${text}  ${means}`),
    ...command.redirections.map(({ text, means }) => `  ${text}  ${means}`),
  ]);
  return commands.length > 0 ? [...parts, ''] : [summary, ''];
}
