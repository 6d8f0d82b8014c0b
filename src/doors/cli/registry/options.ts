import type { Command, Option } from '../command.ts';

export const flag = (about: string, short?: string): Option => ({
  type: 'boolean',
  about,
  ...(short === undefined ? {} : { short }),
});
type More = Pick<Option, 'short' | 'multiple' | 'words'>;
export const text = (value: string, about: string, more: More = {}): Option => ({
  type: 'string',
  value,
  about,
  ...more,
});

/** What follows a command that is about one run. */
export const ofRun = '[RUN] [options]';

// Options of several commands mean the same in all of them.
export const workspace = text('DIR', 'Work in this folder instead of the current one', { short: 'C' });
export const json = flag('Print JSON');
export const eventsAsJson = flag('Print every event as a line of JSON');
export const expand = text('WHAT', 'With JSON of events: plan, for whole plans in place of changes', {
  words: ['plan'],
});
export const mode = text('MODE', 'teacher, planner or agentic', { words: ['teacher', 'planner', 'agentic'] });
export const shell = text('SHELL', 'Plan a goal for this shell: bash or pwsh', { words: ['bash', 'pwsh'] });
export const onAsk = text('POLICY', 'With nobody to ask: fail, deny or park', {
  words: ['fail', 'deny', 'park'],
});
export const onInterrupt = text('POLICY', 'With an unknown step: rerun, skip or stop', {
  words: ['rerun', 'skip', 'stop'],
});
export const onFailure = text('POLICY', 'When a step fails: stop, continue or rollback', {
  words: ['stop', 'continue', 'rollback'],
});
export const rules = text('FILE', 'Rules for this run alone, such as exact commands to allow');
export const step = text('STEP', 'Which one (number, id or title); else the one that failed');
export const reason = text('TEXT', 'Why, for the journal');
export const yes = flag('Do not ask before starting', 'y');

/** What a run may use up; over what is configured. */
export const limits: Command['options'] = {
  'wall-time': text('SECONDS', 'Limit on the time the run may work'),
  retries: text('N', 'Limit on attempts of a step after its first'),
  corrections: text('N', 'Limit on corrections'),
  'added-steps': text('N', 'Limit on steps that corrections add'),
  money: text('DOLLARS', 'Limit on what models may cost'),
  tokens: text('N', 'Limit on tokens of models of unknown price'),
};

/** What may be said about a run, wherever its plan comes from. */
export const runFlags: Command['options'] = {
  mode,
  shell,
  workspace,
  'dry-run': flag('Show the steps and stop'),
  from: text('STEP', 'Begin at this step (number, id or title)'),
  only: text('STEP', 'Run only this step, or this heading; may be repeated', { multiple: true }),
  set: text('KEY=VALUE', 'Give the plan an input', { multiple: true }),
  'on-ask': onAsk,
  'on-failure': onFailure,
  rules,
  'on-interrupt': onInterrupt,
  yes,
  detach: flag('Leave the driving to a worker or a server, and print the id of the run'),
  sha256: text('HASH', 'Of a plan at an address: run it if it is this one, and no other'),
  source: text('URL[#REF]', 'Run in a clone of this repository, on whichever machine drives it'),
  verbose: flag('While planning, show how each draft differs from the one before'),
  report: text('junit=FILE', 'Write a report when the run rests'),
  json: eventsAsJson,
  expand,
  ...limits,
};
