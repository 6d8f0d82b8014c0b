import type { Command } from '../command.ts';
import { eventsAsJson, flag, json, mode, onAsk, runFlags, shell, text, workspace } from './options.ts';

export const houseCommands: readonly Command[] = [
  {
    name: 'serve',
    about: 'Open the web app and serve the API',
    usage: '[options]',
    options: {
      port: text('N', 'Listen on this port (4747 where it is free; 0: any)'),
      host: text('HOST', 'Listen on this address instead of 127.0.0.1'),
      'allowed-host': text(
        'NAME',
        'A further name that it is reached by, such as that of a forwarded port; may be repeated',
        { multiple: true },
      ),
      'no-open': flag('Do not open a browser'),
      workspace,
    },
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'worker',
    about: 'Drive every run that could go on',
    usage: '[options]',
    options: { watch: flag('Stay, and take up runs as they come to be due'), json },
    load: () => import('../commands/worker.ts'),
  },
  {
    name: 'plan',
    about: 'Make a plan and run nothing, or check one',
    usage:
      '"GOAL IN WORDS" [-o FILE] | draft [RUN] [-o FILE] | give RUN FILE | validate FILE | check [FILE | -] | schema',
    options: {
      output: text('FILE', 'Write the plan to this file', { short: 'o' }),
      mode,
      shell,
      'on-ask': onAsk,
      yes: flag('Keep the plan without asking', 'y'),
      verbose: flag('Show how each draft differs from the one before'),
      workspace,
      json: flag('Print the problems as JSON'),
      batch: flag('Check one answer a line: {"raw": "…"}'),
    },
    load: () => import('../commands/plan.ts'),
  },
  {
    name: 'templates',
    about: 'List plans that work without a model, and run one',
    usage: '[list | show NAME | run NAME] [options]',
    options: { ...runFlags, json: flag('Print JSON: the list, or every event') },
    load: () => import('../commands/templates.ts'),
  },
  {
    name: 'demo',
    about: 'Watch a sample plan run',
    usage: '[options]',
    options: {
      page: flag('Show it in the web app too; at a terminal, until Ctrl-C'),
      stay: flag('With --page: until Ctrl-C, also without a terminal'),
      json: eventsAsJson,
    },
    load: () => import('../commands/demo.ts'),
  },
  {
    name: 'config',
    about: 'Read and change settings',
    usage: 'list | get KEY | set KEY VALUE | unset KEY',
    options: { workspace, json },
    load: () => import('../commands/config.ts'),
  },
  {
    name: 'trust',
    about: 'Say whose configuration may be used',
    usage: '[DIR] [options]',
    options: {
      own: flag('Use your own rules, settings and trusted folders as they are now'),
      remove: flag('Trust it no longer'),
      list: flag('Print the trusted folders'),
      json,
    },
    load: () => import('../commands/trust.ts'),
  },
  {
    name: 'doctor',
    about: 'Say whether all is well here',
    usage: '[options]',
    options: { json },
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'gc',
    about: 'Remove old finished runs',
    usage: '[options]',
    options: {
      'keep-days': text('N', 'Keep runs that ended within so many days'),
      'keep-runs': text('N', 'Keep so many of the last ones however old'),
      'dry-run': flag('Say what would be removed'),
      workspace,
      json,
    },
    load: () => import('../commands/gc.ts'),
  },
];
