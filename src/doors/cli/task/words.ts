import { count, dollars } from '../../../core/contract/index.ts';
import {
  mergeWords,
  modeWords,
  phaseSentence,
  priorityWords,
  type TaskRow,
  taskKindWords,
  taskSentence,
} from '../../../core/contract/tasks/index.ts';
import { agentApprovalWords, duration } from '../../../core/contract/told/index.ts';
import type { AgentAsk, TaskLook } from '../../app/tasks/index.ts';
import { cleanOutput } from '../render/text/clean.ts';

/** `3f…  Plan ready    Add a flag. Waits for you`, one line of a listing. */
export function taskRowLine(row: TaskRow, at: number): string {
  const { text } = taskSentence(row, at);
  return `${row.id}  ${row.statusTitle.padEnd(14)} ${cleanOutput(row.title)}${text === '' ? '' : `. ${cleanOutput(text)}`}`;
}

/** All that a person wants to know of a task before deciding. */
export function taskLines({ row, state, ways, runs }: TaskLook, asked: AgentAsk | null): string[] {
  const { text, plan, question, subtasks, phases, review, comments, branch, rescued, mergeFailure } = state;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${cleanOutput(line)}`)];
  return [
    `${row.id}  ${cleanOutput(text.title)}`,
    `${row.statusTitle}, ${taskKindWords[text.kind]}, ${priorityWords[text.priority]}${row.costUsd > 0 ? `, ${dollars(row.costUsd)}` : ''}`,
    ...(row.message === null ? [] : [cleanOutput(row.message)]),
    ...(text.description === ''
      ? []
      : ['', ...text.description.split('\n').map((line) => cleanOutput(line))]),
    ...part(
      'Its agent wants to',
      asked === null
        ? []
        : [...agentApprovalWords(asked.approval), `planwright task approve ${row.id}, or deny`],
    ),
    ...part('It asks', question === null ? [] : question.text.split('\n')),
    ...part(
      'Plan',
      plan === null ? [] : plan.split('\n').map((line, at) => `${String(at + 1).padStart(3)}  ${line}`),
    ),
    ...part(
      'Subtasks',
      subtasks.map(({ title, done }) => `${done ? '[x]' : '[ ]'} ${title}`),
    ),
    ...part('To be changed', review),
    ...part(
      'Comments',
      comments.map(
        ({ on, file, line, text: said }) =>
          `${[on, file, line].filter((one) => one !== null).join(' ')}: ${said}`,
      ),
    ),
    ...part(
      'Phases',
      phases.map((phase) => {
        const { n, mode, agent, startedAt, endedAt } = phase;
        const took = endedAt === null ? '' : `, ${duration(endedAt - startedAt)}`;
        return `${n}. ${modeWords(mode)} (${agent}${took}): ${phaseSentence(phase).text}`;
      }),
    ),
    ...part('Branch', branch === null ? [] : [branch]),
    ...part('Kept before cleaning', rescued),
    ...part('Merging', mergeFailure === null ? [] : [mergeWords(mergeFailure), ...mergeFailure.conflicts]),
    ...part(
      'Next',
      ways.map(
        ({ to, title, against }) => `${to}: ${title}${against === null ? '' : ` (not yet: ${against})`}`,
      ),
    ),
    ...(runs.length === 0 ? [] : ['', `${count(runs.length, 'agent run')}: planwright task logs ${row.id}`]),
  ];
}
