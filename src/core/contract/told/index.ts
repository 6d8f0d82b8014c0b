/**
 * What is told to people about a run, in words and in order: what is asked, what it is doing, why it stopped, how a step
 * failed. Doors lay it out and add no words of their own. Runs in a browser.
 */
export * from './agreeing.ts';
export * from './approval.ts';
export * from './chat.ts';
export * from './correction.ts';
export * from './cost.ts';
export { tellFact, uncoveredWords } from './facts.ts';
export * from './numbering.ts';
export * from './paths.ts';
export * from './proposed.ts';
export * from './question.ts';
export { failureNote, failureWords, furtherWords, grantWords, halfwayWords } from './reasons.ts';
export * from './requests.ts';
export { firingWords, notFiredWords, scheduleTime, scheduleWords, voidWords } from './schedules.ts';
export {
  planningSentence,
  rowSentence,
  type Sentence,
  sentenceOf,
  silenceWords,
  type Tone,
  type Undriven,
} from './sentence.ts';
export * from './slash.ts';
export * from './steps.ts';
export { type Moment, storyOf } from './story.ts';
export * from './text.ts';
export * from './time.ts';
export * from './undo.ts';
export { visible, visibleLines } from './visible.ts';
