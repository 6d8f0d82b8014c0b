import type { RunState } from '../../../core/contract/index.ts';
import { helpWanted, openQuestion } from '../../../core/contract/told/index.ts';

/** How to go on: the answer that is waited for, or simply on. */
export function nextCommands(state: RunState, id: string): [string, string][] {
  if (state.ended) return [];
  const question = openQuestion(state)?.kind;
  if (question === 'approval') {
    return [
      ['Approve', `planwright approve ${id}`],
      ['Deny', `planwright deny ${id}`],
    ];
  }
  if (question === 'manual') return [['Done', `planwright answer ${id}`]];
  if (question === 'ask' || question === 'planner')
    return [['Answer', `planwright answer ${id} --value TEXT`]];
  const hasDraft = state.planning?.failed?.best != null && state.plan === null;
  const help = helpWanted(state);
  const { network, privilege, write = [] } = (help?.kind === 'grant' && help.state.result?.missing) || {};
  const grants = [
    ...(network ? ['network'] : []),
    ...(privilege ? ['privilege'] : []),
    ...write.map((path) => `write=${path}`),
  ];
  const commands: [string, string | false][] = [
    ['Draft', hasDraft && `planwright plan draft ${id} -o FILE`],
    ['Give', hasDraft && `planwright plan give ${id} FILE`],
    [
      'Grant',
      grants.length > 0 && `planwright retry ${id}${grants.map((grant) => ` --grant ${grant}`).join('')}`,
    ],
    ['Resume', `planwright resume ${id}`],
  ];
  return commands.filter((command): command is [string, string] => command[1] !== false);
}
