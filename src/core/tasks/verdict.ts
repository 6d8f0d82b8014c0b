import { type AgentMode, type AgentPayload, agentModes, answerSchemas } from '../contract/tasks/index.ts';

/** What an agent said, read: what it came to and what it gave. */
export interface AnswerRead {
  outcome: string;
  payload: AgentPayload;
  /** What could not be read as it should be. */
  warning: string | null;
}

// What may stand before a word stays on its line: over several it would be looked through again from each of them.
const NEEDS_INFO = /^[^\w\n]*NEEDS_INFO:\s*(?<question>[\s\S]*)$/m;
const VERDICT = /^[^\w\n]*REVIEW_VERDICT:\s*(?<verdict>APPROVED|CHANGES_REQUESTED)[^\w\n]*$/gm;
const NUMBERED = /^\s{0,3}\d+[.)]\s+(?<item>\S.*(?:\n(?!\s{0,3}\d+[.)]\s)\s{2,}\S.*)*)/gm;

/**
 * What an agent that ended well came to. `structured` is what it gave by its schema, where it has one; anything else is
 * read out of its text.
 */
export function readAnswer(mode: AgentMode, text: string, structured: unknown): AnswerRead {
  const question = NEEDS_INFO.exec(text)?.groups?.['question']?.trim();
  if (question !== undefined && question !== '')
    return { outcome: 'needs_info', payload: { question }, warning: null };
  return mode === 'review' ? readReview(text, structured) : readOther(mode, text, structured);
}

function readOther(mode: AgentMode, text: string, structured: unknown): AnswerRead {
  const { outcome, summary } = agentModes[mode];
  const read = answerSchemas[mode].safeParse(structured ?? jsonIn(text));
  if (read.success) return { outcome, payload: read.data, warning: null };
  const said = text.trim();
  const warning = structured == null ? null : 'its answer does not have the shape that it was asked for';
  const payload: AgentPayload = agentModes[mode].changes
    ? { summary: inShort(said) }
    : { plan: said, [summary]: inShort(said), subtasks: numberedIn(said) };
  return { outcome, payload, warning };
}

/**
 * Approved is what has no other verdict: a review may quote the line that somebody wrote into the code for it to be found.
 * Where there is none nothing is approved: a person has to look.
 */
function readReview(text: string, structured: unknown): AnswerRead {
  const verdicts = new Set([...text.matchAll(VERDICT)].map(({ groups }) => groups?.['verdict']));
  const read = answerSchemas.review.safeParse(structured);
  const summary =
    (read.success ? read.data.summary : undefined) ?? inShort(text.replaceAll(VERDICT, '').trim());
  if (verdicts.has('APPROVED') && verdicts.size === 1)
    return { outcome: 'approved', payload: { summary, comments: [] }, warning: null };
  const comments = (read.success ? read.data.comments : undefined) ?? numberedIn(text);
  if (verdicts.has('CHANGES_REQUESTED'))
    return { outcome: 'changes_requested', payload: { summary, comments }, warning: null };
  return { outcome: 'failed', payload: { summary, comments }, warning: 'the review has no verdict' };
}

const numberedIn = (text: string): string[] =>
  [...text.matchAll(NUMBERED)].map(({ groups }) => (groups?.['item'] ?? '').replaceAll(/\n\s+/g, ' ').trim());

const inShort = (text: string): string => {
  const first = text.split(/\n\s*\n/).find((part) => /\p{L}/u.test(part) && !part.startsWith('#')) ?? text;
  return first.trim().slice(0, 600);
};

/** The last JSON object of a text, in a fence or bare. */
function jsonIn(text: string): unknown {
  const fenced = [...text.matchAll(/```(?:json)?\n([\s\S]*?)```/g)].at(-1)?.[1];
  for (const candidate of [fenced, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    if (candidate === undefined || candidate === '') continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // it was none
    }
  }
  return undefined;
}
