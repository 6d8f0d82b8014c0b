import { z } from 'zod';
import { grouped } from '../told/text.ts';

/**
 * How much is kept, in characters, and in pieces where it is a list. What a person says and is longer is refused; what an
 * agent says is cut, which is said where it was cut.
 */
export const taskLimits = {
  title: 300,
  description: 50_000,
  dependencies: 100,
  comment: 10_000,
  answer: 20_000,
  reason: 2000,
  /** A path in a comment, or a name. */
  name: 1000,
  /** A command of a project, and how many of a kind. */
  command: 4000,
  commands: 50,
  /** What an agent is told in a mode, as a person wrote it. */
  template: 100_000,
  /** What an agent came to. */
  plan: 100_000,
  question: 10_000,
  subtask: 500,
  subtasks: 200,
  reviewComment: 5000,
  reviewComments: 200,
  message: 5000,
  /** What later prompts are told of a phase. */
  summary: 2000,
  /** What a row of a listing has of a question or a message. */
  row: 500,
} as const;
export type TaskLimit = keyof typeof taskLimits;

/** What a person says: refused in words where it is longer. */
export const said = (limit: TaskLimit) =>
  z.string().max(taskLimits[limit], `it may have ${grouped(taskLimits[limit])} characters at most`);

/** Cut to its limit, and says so at its end. Never between the halves of one character. */
export function cutTo(limit: TaskLimit, text: string): string {
  const most = taskLimits[limit];
  if (text.length <= most) return text;
  const end = most < 1000 ? '…' : `… (cut: it had ${grouped(text.length)} characters)`;
  return `${text.slice(0, most - end.length).replace(/[\uD800-\uDBFF]$/, '')}${end}`;
}
