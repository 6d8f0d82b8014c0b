import type { Command } from '../command.ts';
import { eventsAsJson, flag, json, reason, step, text, workspace } from './options.ts';
import { request } from './request.ts';

export const mendCommands: readonly Command[] = [
  {
    name: 'risk',
    about: 'Say how risky a command is, and why',
    usage: '"COMMAND" | --batch',
    options: {
      batch: flag('Read {"command", "cwd"?} as lines of JSON, write one verdict a line'),
      shell: text('SHELL', 'bash (the default) or pwsh'),
      workspace,
      json,
    },
    load: () => import('../commands/risk.ts'),
  },
  {
    name: 'rules',
    about: 'List and take back rules',
    usage: '[list] | remove ID',
    options: { workspace, json },
    load: () => import('../commands/rules.ts'),
  },
  {
    name: 'diagnose',
    about: 'Run a command, say what went wrong with it, and how to mend it',
    usage: '[options] -- COMMAND… | --batch',
    options: {
      batch: flag(
        'Read {"command", "output", "exitCode", "cwd"?} as lines of JSON, write one correction a line',
      ),
      apply: flag('Run the correction'),
      workspace,
      json,
    },
    load: () => import('../commands/diagnose.ts'),
  },
  {
    name: 'models',
    about: 'List the models that can be asked, and test them',
    usage: '[test [PROVIDER/MODEL]] [options]',
    options: { workspace, json },
    load: () => import('../commands/models.ts'),
  },
  {
    name: 'cost',
    about: 'Say what the models of a run have cost',
    usage: '[RUN] [options]',
    options: { workspace, json },
    load: () => import('../commands/cost.ts'),
  },
  request('cancel', 'End a run', { reason, workspace, json }),
  request('pause', 'Let a run rest after its step', {
    until: text('TIME', 'Go on by itself then, such as 2026-12-24T08:00'),
    workspace,
    json,
  }),
  request('skip', 'Leave a step out', { step, reason, workspace, json: eventsAsJson }),
  request('retry', 'Attempt a failed step again', {
    step,
    grant: text('GRANT', 'Let it do this beyond its sandbox: network, privilege, or write=PATH', {
      multiple: true,
    }),
    workspace,
    json: eventsAsJson,
  }),
  {
    name: 'edit',
    about: 'Change a step that is still to be done, or the whole plan, and go on',
    usage: '[RUN] [options]',
    options: {
      step: text('STEP', 'Which one (number, id or title); else the one that failed, else the whole plan'),
      action: text(
        'ACTION',
        'Give it this action, such as "RUN_COMMAND npm test", instead of opening an editor',
      ),
      plan: text('FILE', 'Take the whole plan as this file has it'),
      stay: flag('Change it and leave the run at rest'),
      workspace,
      json: eventsAsJson,
    },
    examples: ['edit', 'edit --step 3 --action "RUN_COMMAND npm ci"', 'edit --plan plan.yaml'],
    load: () => import('../commands/edit.ts'),
  },
  request(
    'hint',
    'Tell the brain about a failed step',
    { step, workspace, json: eventsAsJson },
    '[RUN] TEXT [options]',
  ),
  {
    name: 'why',
    about: 'Tell how a run was mended',
    usage: '[RUN] [options]',
    options: { workspace, json, 'no-model': flag('Without the words of a model, which cost a little') },
    load: () => import('../commands/why.ts'),
  },
  {
    name: 'memory',
    about: 'List and forget what mended failures',
    usage: '[list] | forget ID | clear',
    options: { workspace, json },
    load: () => import('../commands/memory.ts'),
  },
  {
    name: 'replay',
    about: 'Drive a run again against its journal, and say where it differs',
    usage: '[RUN] [options]',
    options: { workspace, json },
    load: () => import('../commands/replay.ts'),
  },
  request('mode', 'Change the mode of a run', { workspace, json }, 'MODE [RUN] [options]'),
];
