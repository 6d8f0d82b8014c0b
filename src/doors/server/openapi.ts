import { z } from 'zod';
import {
  Action,
  Correction,
  ErrorBody,
  FactEvent,
  Health,
  Plan,
  PlanChange,
  Problem,
  Readiness,
  RequestBody,
  RequestEvent,
  type Route,
  RunOptions,
  RunRow,
  routes,
  Step,
  StepResult,
  Subject,
  Verdict,
} from '../../core/contract/index.ts';

type Json = Record<string, unknown>;

/** What the document calls by name; everything else is written out where it is used. */
const named = z.registry<{ id: string }>();
const words = {
  Action,
  Correction,
  FactEvent,
  Plan,
  PlanChange,
  Problem,
  RequestBody,
  RequestEvent,
  RunOptions,
};
const moreWords = { RunRow, Step, StepResult, Subject, Verdict };
for (const [id, schema] of Object.entries({ ...words, ...moreWords })) named.add(schema, { id });

/** Schemas that others refer to; a definition that several need is there once. */
class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #names = new Map<string, string>();

  /** The schema of an answer or a request, with its definitions moved to where OpenAPI looks for them. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: named }) as Json;
    const { $schema: _, $defs = {}, ...rest } = made as Json & { $defs?: Record<string, Json> };
    const names = new Map(Object.entries($defs).map(([name, def]) => [name, this.#nameOf(name, def)]));
    const moved = (part: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part;
      if (Array.isArray(part)) return part.map(moved);
      const entries = Object.entries(part).map(([key, value]) => {
        const to = key === '$ref' ? names.get(String(value).replace('#/$defs/', '')) : undefined;
        return [key, to === undefined ? moved(value) : `#/components/schemas/${to}`];
      });
      return Object.fromEntries(entries);
    };
    for (const [name, def] of Object.entries($defs)) this.schemas[names.get(name)!] ??= moved(def) as Json;
    return moved(rest) as Json;
  }

  /** A word has its own name; where a request may leave out what an answer has, it gets a second one. */
  #nameOf(given: string, def: Json): string {
    const text = JSON.stringify(def);
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const base = given.startsWith('__') ? 'Shared' : given;
    const taken = new Set(this.#names.values());
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}${n}`;
    this.#names.set(text, name);
    return name;
  }
}

const json = (schema: Json): Json => ({ 'application/json': { schema } });

function contentOf({ answer }: Route, components: Components): Json {
  if ('json' in answer) return json(components.schemaOf(answer.json, 'output'));
  if ('bytes' in answer)
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return { 'text/event-stream': { schema: components.schemaOf(answer.events, 'output') } };
}

function parametersOf({ path, query }: Route, components: Components): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const asked = query === undefined ? {} : components.schemaOf(query, 'input');
  const { properties = {}, required = [] } = asked as { properties?: Json; required?: string[] };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...inPath, ...inQuery];
}

const refusal = {
  description: 'Refused, with a sentence',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function operationOf(name: string, route: Route, components: Components): Json {
  const { body } = route;
  const content = body === undefined ? null : json(components.schemaOf(body, 'input'));
  return {
    operationId: name,
    summary: route.about,
    parameters: parametersOf(route, components),
    ...(content === null ? {} : { requestBody: { required: true, content } }),
    responses: { 200: { description: 'Done', content: contentOf(route, components) }, default: refusal },
  };
}

const open = (name: string, about: string, schema: Json): Json => ({
  get: {
    operationId: name,
    summary: about,
    security: [],
    responses: { 200: { description: 'Well', content: json(schema) }, default: refusal },
  },
});

/** The whole API as an OpenAPI 3.1 document, made of the same schemas that requests are checked by. */
export function describeApi(version: string): Json {
  const components = new Components();
  components.schemas['Error'] = components.schemaOf(ErrorBody, 'output');
  const paths: Record<string, Json> = {
    '/healthz': open('health', 'Whether the server lives', components.schemaOf(Health, 'output')),
    '/readyz': open('readiness', 'Whether it can work', components.schemaOf(Readiness, 'output')),
  };
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route, components) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Planwright', version, description: 'Runs plans: start, watch, decide, understand.' },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'planwright' },
      },
    },
  };
}
