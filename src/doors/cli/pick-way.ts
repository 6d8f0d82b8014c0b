import type { PickWay } from '../../core/plan/runbook/index.ts';
import { AppError, exitCodes } from '../app/errors.ts';
import { askKey } from './ask.ts';
import { type Context, note } from './context.ts';
import { visible } from './render/text/clean.ts';

/** More than these are no choice that is made with one key. */
const MOST = 9;

/** Asks at the terminal which of several ways of a page is taken. */
export const pickWayAt =
  (context: Context): PickWay =>
  async (ways) => {
    const shown = ways.slice(0, MOST);
    const wide = Math.max(...shown.map(({ name }) => name.length));
    const lines = shown.map(
      ({ name, text, line }, at) =>
        `   ${at + 1}  ${visible(name).padEnd(wide)}  ${visible(text)}  (line ${line})`,
    );
    note(
      context,
      ` The page has several ways to do this, and all of them would work here:\n${lines.join('\n')}`,
    );
    const choices = shown.map(({ name }, at) => ({
      key: String(at + 1),
      label: name,
      decision: String(at),
      ...(at === 0 ? { default: true as const } : {}),
    }));
    const answer = await askKey(context, choices, new AbortController().signal);
    if (typeof answer === 'string')
      throw new AppError('usage', 'interrupted', { exitCode: exitCodes.interrupted });
    return Number(answer.decision);
  };
