import type { Correction, RunState } from '../../../core/contract/index.ts';
import {
  capital,
  correctionWords,
  percent,
  placeOf,
  sourceWords,
  titleOf,
} from '../../../core/contract/told/index.ts';
import { failureChoices } from './choices.ts';
import { type Look, measure, short } from './look.ts';
import { choiceLines, exactly, question, say } from './questions.ts';
import { cleanOutput } from './text/clean.ts';

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
  const said = (result?.stderrTail || result?.stdoutTail || '')
    .split('\n')
    .map(cleanOutput)
    .filter((line) => line.trim() !== '');
  const edge = style.failed(style.glyphs.spine);
  const heading = `${capital(placeOf(state.plan, stepId))} failed:`;
  return question(heading, style.glyphs.step.failed, titleOf(state.plan, stepId), look, [
    ...(result?.message === undefined ? [] : say(`${capital(result.message)}.`, look)),
    ...said.slice(-saidLines).map((line) => `${edge} ${short(line, measure(look) - 6, look)}`),
    '',
    ...(proposed === null ? say('No brain is sure what to do about it.', look) : proposal(proposed, look)),
    ...choiceLines(failureChoices(proposed), look),
  ]);
}

function proposal(correction: Correction, look: Look): string[] {
  const { reasoning, newSteps = [], modifiedCommand, confidence } = correction;
  const { style } = look;
  const edge = style.changed(style.glyphs.spine);
  const line = (label: string, text: string) =>
    exactly(`${label}  ${text.replace(/^RUN_COMMAND /, '')}`, 7, look).map(
      (part) => `${edge} ${style.changed(part)}`,
    );
  const does = [
    ...newSteps.flatMap((step) => line('first', step.action)),
    ...(modifiedCommand === undefined ? [] : line('then ', modifiedCommand)),
  ];
  return [
    ...say(reasoning, look),
    ...(does.length > 0 ? does : [style.changed(`${capital(correctionWords(correction))}.`)]),
    style.dim(`(${sourceWords(correction)}, ${percent(confidence)} sure)`),
  ];
}
