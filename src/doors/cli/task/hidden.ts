import type { App } from '../../app/app.ts';

/** What is shown of tasks is shown without secrets: what agents and people wrote is kept exactly. */
export const withoutSecrets = <T>(app: App, value: T): T =>
  app.redactorFor(null, app.streams.kinds.get('task')).value(value);
