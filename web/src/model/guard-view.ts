import type { GuardAnswer, GuardedAgent, GuardedCall, GuardRow } from '@guard';
import { count } from '@told';

/** As their makers call them. */
export const agentNames: Readonly<Record<GuardedAgent, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  cursor: 'Cursor',
  copilot: 'Copilot CLI',
  opencode: 'opencode',
};

/** What became of a call: its shape says it, its word says it again. */
export const answers: Readonly<Record<GuardAnswer, { word: string; shape: string; look: string }>> = {
  none: { word: 'passed', shape: '○', look: 'text-dim' },
  ask: { word: 'asked', shape: '◆', look: 'text-wait' },
  deny: { word: 'denied', shape: '✕', look: 'text-fail' },
};

/** `12 calls, 2 asked about, 1 denied`. */
export const countsOf = ({ calls, asked, denied }: Pick<GuardRow, 'calls' | 'asked' | 'denied'>): string =>
  [
    count(calls, 'call'),
    ...(asked > 0 ? [`${asked} asked about`] : []),
    ...(denied > 0 ? [`${denied} denied`] : []),
  ].join(', ');

/** What a call would do, in one line; a tool that is not known has only its name. */
export const callText = ({ text, tool }: Pick<GuardedCall, 'text' | 'tool'>): string =>
  text === '' ? tool || 'a call that could not be read' : text.replaceAll('\n', ' ↵ ');

/** The newest first, and only those that were objected to where that is wanted. */
export const callsShown = (calls: readonly GuardedCall[], objectedOnly: boolean): GuardedCall[] =>
  calls.filter(({ answer }) => !objectedOnly || answer !== 'none').toReversed();
