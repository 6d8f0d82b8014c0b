import { readFileSync } from 'node:fs';
import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { planFileOf } from '../app/drafts.ts';
import { AppError } from '../app/errors.ts';
import { loadTemplates, templateFile } from '../app/templates.ts';
import type { Visit } from './desk.ts';
import { runOf } from './folders.ts';
import { showRun } from './shown.ts';
import { type VisitOf, withRoots } from './visits.ts';

/** What a run is, by the last word of its address. Secrets are hidden in each. */
const ofRun: Record<
  string,
  { about: string; mimeType: string; read: (visit: Visit, id: string) => Promise<string> }
> = {
  state: {
    about: 'A run as it is now',
    mimeType: 'application/json',
    read: async ({ desk }, id) =>
      JSON.stringify(await showRun(desk, id, await desk.app.runs.state(id)), null, 2),
  },
  plan: {
    about: 'The plan of a run, as a plan file',
    mimeType: 'application/yaml',
    async read({ desk: { app } }, id) {
      const state = await app.runs.state(id);
      return app.redactorFor(state).value((await planFileOf(state)) ?? '');
    },
  },
  journal: {
    about: 'What happened in a run, the last thousand events, one a line',
    mimeType: 'application/jsonl',
    async read({ desk: { app } }, id) {
      const redactor = app.redactorFor(await app.runs.state(id));
      const events = await app.streams.read(id, Math.max(0, (await app.streams.lastSeq(id)) - 1000));
      return events.map(({ seq, event }) => JSON.stringify(redactor.value({ seq, event }))).join('\n');
    },
  },
};

export function addResources(server: McpServer, visitOf: VisitOf): void {
  for (const [what, { about, mimeType, read }] of Object.entries(ofRun)) {
    const template = new ResourceTemplate(`planwright://runs/{run}/${what}`, { list: undefined });
    const config = { title: about, description: `${about}, in the roots of the client`, mimeType };
    server.registerResource(`run-${what}`, template, config, (uri, { run }, ctx) =>
      withRoots(visitOf(ctx), async (visit): Promise<ReadResourceResult> => {
        const text = await reading(uri, async () => {
          const { id } = await runOf(visit.desk.app, visit.caller, String(run));
          return read(visit, id);
        });
        return { contents: [{ uri: uri.href, mimeType, text }] };
      }),
    );
  }
  for (const template of loadTemplates()) {
    const config = { title: template.name, description: template.about, mimeType: 'application/yaml' };
    server.registerResource(
      `template-${template.name}`,
      `planwright://templates/${template.name}`,
      config,
      (uri) => ({
        contents: [
          { uri: uri.href, mimeType: config.mimeType, text: readFileSync(templateFile(template), 'utf8') },
        ],
      }),
    );
  }
}

async function reading(uri: URL, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) throw new ResourceNotFoundError(uri.href);
    throw error;
  }
}
