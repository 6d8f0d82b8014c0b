import { z } from 'zod';
import {
  type AgentMode,
  agentModes,
  answerSchemas,
  type Brief,
  type TaskContextEntry,
} from '../contract/tasks/index.ts';

/** What a template may name, and what stands there then. */
const sections: Record<string, (brief: Brief, task: string, mode: AgentMode) => string> = {
  taskTitle: ({ title }) => title,
  taskDescription: ({ description }) => description,
  taskId: (_, task) => task,
  subtasksSection: ({ subtasks }, _, mode) => subtasksIn(subtasks, mode),
  planSection: ({ plan }) => (plan === null || plan === '' ? '' : `## Plan\n\n${plan}`),
  planCommentsSection: ({ planComments }) =>
    planComments.length === 0 ? '' : `## Feedback on the plan\n\n${numbered(planComments)}`,
  priorReviewSection: ({ reviewComments, reviewRounds }, _, mode) =>
    priorReview(reviewComments, reviewRounds, mode),
  relatedTaskSection: ({ related }) =>
    related === null
      ? ''
      : `## Related task\n\nThis is about ${related.title} (${related.task}):\n\n${related.description}`,
};

export const placeholders: readonly string[] = Object.keys(sections);

const numbered = (lines: readonly string[]): string =>
  lines.map((line, at) => `${at + 1}. ${line}`).join('\n');

function subtasksIn(subtasks: Brief['subtasks'], mode: AgentMode): string {
  if (subtasks.length === 0) return '';
  const list = subtasks.map(({ title, done }) => `- [${done ? 'x' : ' '}] ${title}`).join('\n');
  const what = agentModes[mode].changes ? 'Do these, one after the other:' : 'It is made of these:';
  return `## Subtasks\n\n${what}\n\n${list}`;
}

function priorReview(comments: readonly string[], rounds: number, mode: AgentMode): string {
  if (mode === 'request_changes') return `## What is to be changed\n\n${numbered(comments)}`;
  if (mode !== 'review' || rounds === 0) return '';
  return `## Reviewed before\n\nThis was reviewed ${rounds === 1 ? 'once' : `${rounds} times`} before. See whether these have been dealt with:\n\n${numbered(comments)}`;
}

/** The template with its placeholders filled in. Braces that name nothing are left as they are: they may be code. */
export const fillTemplate = (template: string, brief: Brief, task: string, mode: AgentMode): string =>
  template
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(sections, name) ? sections[name]!(brief, task, mode) : whole,
    )
    .trim();

/** Placeholders of a template that name nothing, among those that look as if they should. */
export const unknownIn = (template: string): string[] => [
  ...new Set(
    [...template.matchAll(/\{(\w+)\}/g)]
      .map(([, name = '']) => name)
      .filter((name) => /^(?:task|plan|subtask|prior|related)\w*$/.test(name) && !(name in sections)),
  ),
];

const task = 'Task {taskId}: {taskTitle}\n\n{taskDescription}\n\n{relatedTaskSection}';
const stay =
  'Work in this folder alone, on the branch that is checked out. Do not push, do not switch branches, and leave other branches as they are.';
const ask =
  'Where you cannot go on without knowing something that only a person can say, answer with a line `NEEDS_INFO:` and your question, and stop.';

/** What an agent is told where nobody has written a template. */
const builtIn: Record<AgentMode, string> = {
  plan: `${task}\n\nLook at the code and write a plan for this task. Change nothing. Answer with the whole plan in Markdown, a summary of two or three sentences, and the steps as subtasks.\n\n${ask}`,
  plan_revision: `${task}\n\n{planSection}\n\n{planCommentsSection}\n\nRevise the plan by this feedback. Change no code. Answer with the whole new plan in Markdown, a summary of two or three sentences, and the steps as subtasks.\n\n${ask}`,
  investigate: `${task}\n\nFind out why this happens. Reproduce it where you can; change nothing that stays. Answer with a report in Markdown (what happens, why, where in the code, how to mend it), a summary of two or three sentences, and the steps of the mending as subtasks.\n\n${ask}`,
  implement: `${task}\n\n{planSection}\n\n{subtasksSection}\n\nImplement this, with tests where the code around has them. ${stay} Commit what you did, with a message that says what and why. Answer with a short summary of the changes.\n\n${ask}`,
  request_changes: `${task}\n\n{planSection}\n\n{priorReviewSection}\n\nMake these changes on the branch as it is. ${stay} Commit what you did. Answer with a short summary of the changes.\n\n${ask}`,
  review: `${task}\n\n{planSection}\n\n{priorReviewSection}\n\nReview what this branch changes against its base. Change nothing. Look for mistakes, missing cases and tests, and whether it does what the task asks. End with a line \`REVIEW_VERDICT: APPROVED\`, or with \`REVIEW_VERDICT: CHANGES_REQUESTED\` and a numbered list of what is to be changed, and answer with a short summary.`,
};

// biome-ignore lint/style/noRestrictedGlobals: it writes a time that it is given, and asks for none
const clock = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

function contextOf(entries: readonly TaskContextEntry[]): string {
  if (entries.length === 0) return '';
  const told = entries.map(
    ({ source, entryType, at, summary }) => `### [${source}] ${entryType} (${clock(at)})\n${summary}`,
  );
  return `## Task Context\n\n${told.join('\n\n')}\n\n---\n\n`;
}

const answersOf = (answers: Brief['answers']): string =>
  answers.length === 0
    ? ''
    : `\n\n## Answers to your questions\n\n${answers.map(({ question, text }) => `**${question}**\n${text}`).join('\n\n')}`;

/** The whole prompt: what was learnt before, the template or what is built in, and what a person has answered. */
export function promptOf(
  brief: Brief,
  of: { task: string; mode: AgentMode },
  template: string | null,
): string {
  const body = fillTemplate(template ?? builtIn[of.mode], brief, of.task, of.mode).replaceAll(
    /\n{3,}/g,
    '\n\n',
  );
  return `${contextOf(brief.context)}${body}${answersOf(brief.answers)}`;
}

/** The prompt of another try. */
export const withErrors = (prompt: string, errors: string | null): string =>
  errors === null
    ? prompt
    : `${prompt}\n\nThe previous attempt produced validation errors. Fix these issues, then stage and commit:\n\n${errors}`;

/** How an agent that takes no schema is told what its answer has to look like. */
export function answerForm(mode: AgentMode): string {
  if (mode === 'review')
    return 'End with the verdict on a line of its own, and the numbered list where there is one.';
  const fields = Object.keys(z.toJSONSchema(answerSchemas[mode]).properties ?? {});
  const shape = fields.map((field) => `"${field}": ${field === 'subtasks' ? '["…"]' : '"…"'}`).join(', ');
  return `End your last answer with one JSON object in a fence, and nothing after it:\n\n\`\`\`json\n{${shape}}\n\`\`\``;
}
