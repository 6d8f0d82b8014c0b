import type { Entry } from './command.ts';

/** Every command, in the order of the help. Loading one does not load the others. */
export const registry: readonly Entry[] = [
  { name: 'run', about: 'Run a plan file', load: () => import('./commands/run.ts') },
  { name: 'resume', about: 'Go on with a run', load: () => import('./commands/resume.ts') },
  { name: 'runs', about: 'List runs', load: () => import('./commands/runs.ts') },
  { name: 'show', about: 'Show one run', load: () => import('./commands/show.ts') },
  { name: 'logs', about: 'Print the output of a run', load: () => import('./commands/logs.ts') },
  { name: 'waiting', about: 'List what waits for you', load: () => import('./commands/waiting.ts') },
  { name: 'approve', about: 'Let a dangerous step run, once', load: () => import('./commands/approve.ts') },
  { name: 'answer', about: 'Answer what a run asks', load: () => import('./commands/answer.ts') },
  { name: 'deny', about: 'Do not let it run', load: () => import('./commands/deny.ts') },
  { name: 'risk', about: 'Say how risky a command is, and why', load: () => import('./commands/risk.ts') },
  { name: 'rules', about: 'List and take back rules', load: () => import('./commands/rules.ts') },
  {
    name: 'diagnose',
    about: 'Say what went wrong with a command, and how to mend it',
    load: () => import('./commands/diagnose.ts'),
  },
  {
    name: 'models',
    about: 'List the models that can be asked, and test them',
    load: () => import('./commands/models.ts'),
  },
  { name: 'cost', about: 'Say what the models of a run have cost', load: () => import('./commands/cost.ts') },
  {
    name: 'replay',
    about: 'Take the decisions of a run anew, and say where they differ',
    load: () => import('./commands/replay.ts'),
  },
  { name: 'cancel', about: 'End a run', load: () => import('./commands/cancel.ts') },
  { name: 'pause', about: 'Let a run rest after its step', load: () => import('./commands/pause.ts') },
  { name: 'skip', about: 'Leave a step out', load: () => import('./commands/skip.ts') },
  { name: 'retry', about: 'Attempt a failed step again', load: () => import('./commands/retry.ts') },
  { name: 'mode', about: 'Change the mode of a run', load: () => import('./commands/mode.ts') },
  { name: 'work', about: 'Drive every run that could go on', load: () => import('./commands/work.ts') },
  { name: 'plan', about: 'Check a plan file, or print its schema', load: () => import('./commands/plan.ts') },
  { name: 'demo', about: 'Watch a sample plan run', load: () => import('./commands/demo.ts') },
  { name: 'config', about: 'Read and change settings', load: () => import('./commands/config.ts') },
  { name: 'trust', about: 'Say whose configuration may be used', load: () => import('./commands/trust.ts') },
  { name: 'doctor', about: 'Say whether all is well here', load: () => import('./commands/doctor.ts') },
  { name: 'gc', about: 'Remove old finished runs', load: () => import('./commands/gc.ts') },
  {
    name: 'completion',
    about: 'Print completions for a shell',
    load: async () => ({ command: (await import('./commands/completion.ts')).completionCommand(registry) }),
  },
];
