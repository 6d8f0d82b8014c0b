import type { Correction, RunState, StepResult } from '../../../core/contract/index.ts';
import {
  capital,
  correctionLines,
  correctionWords,
  failureChoices,
  type Help,
  halfwayWords,
  percent,
  placeOf,
  type StuckMeans,
  sourceWords,
  stuckChoices,
  titleOf,
} from '../../../core/contract/told/index.ts';
import { type Look, measure, short } from './look.ts';
import { choiceLines, question } from './questions.ts';
import { cleanOutput } from './text/clean.ts';
import { exactly, say } from './verdict.ts';

/** Lines of what a failed step said that are shown with its diagnosis. */
const saidLines = 6;

/** Teacher mode: a step failed. What it said, what the brain makes of it, and what it would do. */
export function renderFailure(
  stepId: string,
  state: RunState,
  proposed: Correction | null,
  look: Look,
): string[] {
  const { style } = look;
  const result = state.steps.find(({ id }) => id === stepId)?.result ?? null;
  const heading = `${capital(placeOf(state.plan, stepId))} failed:`;
  return question(heading, style.glyphs.step.failed, titleOf(state.plan, stepId), look, [
    ...evidence(result, look),
    '',
    ...(proposed === null ? say('No brain is sure what to do about it.', look) : proposal(proposed, look)),
    ...choiceLines(failureChoices(proposed), look),
  ]);
}

/** A step failed and nobody mends it, or the brain has given it up: a person may help it on. */
export function renderStuck(
  { stepId, step, state: { givenUp, result } }: Extract<Help, { kind: 'stuck' }>,
  state: RunState,
  means: StuckMeans,
  look: Look,
): string[] {
  const place = capital(placeOf(state.plan, stepId));
  const heading = means.brain ? `${place} could not be mended:` : `${place} failed:`;
  return question(heading, look.style.glyphs.step.failed, step.title, look, [
    ...evidence(result, look),
    ...(means.brain
      ? [
          '',
          ...say(
            `Given up: ${givenUp?.message ?? state.message ?? 'no brain is sure how to mend it'}.`,
            look,
          ),
        ]
      : []),
    ...choiceLines(stuckChoices(means), look),
  ]);
}

/** How a step failed, and the end of what it said. */
function evidence(result: StepResult | null, look: Look): string[] {
  const said = (result?.stderrTail || result?.stdoutTail || '')
    .split('\n')
    .map(cleanOutput)
    .filter((line) => line.trim() !== '');
  const edge = look.style.failed(look.style.glyphs.spine);
  const halfway = halfwayWords(result);
  return [
    ...(result?.message === undefined ? [] : say(`${capital(result.message)}.`, look)),
    ...said.slice(-saidLines).map((line) => `${edge} ${short(line, measure(look) - 6, look)}`),
    ...(halfway === null ? [] : say(halfway, look)),
  ];
}

function proposal(correction: Correction, look: Look): string[] {
  const { reasoning, confidence } = correction;
  const { style } = look;
  const edge = style.changed(style.glyphs.spine);
  const changes = correctionLines(correction);
  const column = Math.max(...changes.map(({ label }) => label.length));
  const does = changes.flatMap(({ label, text }) =>
    exactly(`${label.padEnd(column)}  ${text}`, 7, look).map((part) => `${edge} ${style.changed(part)}`),
  );
  return [
    ...say(reasoning, look),
    ...(does.length > 0 ? does : [style.changed(`${capital(correctionWords(correction))}.`)]),
    style.dim(`(${sourceWords(correction)}, ${percent(confidence)} sure)`),
  ];
}
