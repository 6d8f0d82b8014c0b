import type { Command } from '../command.ts';
import { eventsAsJson, flag, json, reason, text, workspace } from './options.ts';

const project = text('NAME', 'The project (name or id); else the one of this folder', { short: 'p' });
const many = { multiple: true };

/** What takes tickets to reviewed branches. */
export const taskCommands: readonly Command[] = [
  {
    name: 'project',
    about: 'Repositories that agents work on tasks in',
    usage:
      '[list | add [DIR] | set NAME | remove NAME | templates [NAME] | pipeline [NAME] | schema] [options]',
    options: {
      name: text('NAME', 'What it is called; else the name of its folder'),
      base: text(
        'BRANCH',
        'The branch that tasks begin at and are merged into; else the one that is checked out',
      ),
      remote: text('NAME', 'Fetch the base from this remote'),
      source: text('URL', 'In a fleet any machine clones it from here, and pushes the branches of its tasks'),
      setup: text('COMMAND', 'Run in each new worktree; may be repeated', many),
      validate: text('COMMAND', 'Has to pass before a branch is ready; may be repeated', many),
      agent: text('[MODE=]AGENT', 'Who works, in every mode or in this one; may be repeated', many),
      program: text('NAME=COMMAND', 'What starts acp:NAME; may be repeated', many),
      host: text('NAME=HOST', 'A host that acp:NAME may reach; may be repeated', many),
      writes: text('NAME=PATH', 'What acp:NAME may write besides; may be repeated', many),
      variable: text('NAME=VARIABLE', 'A secret variable that acp:NAME is given; may be repeated', many),
      ungated: text('NAME', 'Let acp:NAME work outside of the sandbox; may be repeated', many),
      'max-agents': text('N', 'Agents at the same time'),
      'validation-retries': text('N', 'How often an agent mends what does not pass'),
      'review-rounds': text('N', 'Reviews that may ask for changes before a person is asked'),
      'money-per-run': text('DOLLARS', 'What one agent run may cost'),
      'money-per-task': text('DOLLARS', 'What all runs of one task may cost'),
      'money-per-project': text('DOLLARS', 'What all runs of the project may cost'),
      'minutes-per-run': text('N', 'How long an agent may work at a time; else as its mode says'),
      'minutes-per-task': text('N', 'How long all agents of one task may work'),
      'minutes-per-project': text('N', 'How long all agents of the project may work'),
      pipeline: text(
        'FILE',
        'A pipeline of its own (JSON; project pipeline prints one, project schema says what may stand in it)',
      ),
      template: text(
        'MODE=FILE',
        'With set: what agents are told in this mode; MODE= takes it back; may be repeated',
        many,
      ),
      json,
    },
    examples: [
      'project add --validate "npm test" --agent planwright',
      'project set site --agent review=scripted:happy',
      'project set site --agent acp:gemini --program "gemini=gemini --acp"',
    ],
    load: () => import('../commands/project.ts'),
  },
  {
    name: 'task',
    about: 'Take a ticket to a reviewed branch, or look at one',
    usage:
      'new TITLE | list | show TASK | start TASK | wait TASK | stop TASK | answer TASK TEXT | comment TASK TEXT | approve TASK | deny TASK | move TASK STATUS | merge TASK | close TASK | logs TASK',
    options: {
      project,
      description: text('TEXT', 'With new: what is wanted; - reads it from the standard input', {
        short: 'd',
      }),
      bug: flag('With new: something is broken, and is investigated first'),
      priority: text('WORD', 'With new: low, normal, high or urgent', {
        words: ['low', 'normal', 'high', 'urgent'],
      }),
      after: text('TASK', 'With new: begun only when that one is through; may be repeated', many),
      about: text('TASK', 'With new: the task that this one is about'),
      agent: text('AGENT', 'Who is to work'),
      wait: flag('Stay until it needs somebody, or is over'),
      on: text('PLAN|BRANCH', 'With comment: what it is about; else the branch where there is one', {
        words: ['plan', 'branch'],
      }),
      line: text('[FILE:]N', 'With comment: the line it is about'),
      squash: flag('With merge: as one commit'),
      'pull-request': flag('With merge: push it to the remote, and open a pull request by gh'),
      yes: flag('With merge --pull-request: agree to the push', 'y'),
      follow: flag('With logs: stay until the agent has ended', 'f'),
      all: flag('With list: those that are over, too'),
      reason,
      workspace,
      json: eventsAsJson,
    },
    examples: ['task new "Add a --quiet flag" --wait', 'task approve 3f --wait', 'task merge 3f --squash'],
    load: () => import('../commands/task.ts'),
  },
  {
    name: 'tasks',
    about: 'List tasks, or remove what is left of merged ones',
    usage: '[list | gc] [options]',
    options: {
      project,
      all: flag('Those that are over, too'),
      workspace,
      json,
    },
    load: () => import('../commands/tasks.ts'),
  },
];
