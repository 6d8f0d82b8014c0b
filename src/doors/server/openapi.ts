import { z } from 'zod';
import { ErrorBody, Health, Readiness, type Route, routes } from '../../core/contract/index.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json;
  return rest;
};

const json = (schema: z.ZodType, io: 'input' | 'output'): Json => ({
  'application/json': { schema: schemaOf(schema, io) },
});

function contentOf({ answer }: Route): Json {
  if ('json' in answer) return json(answer.json, 'output');
  if ('bytes' in answer)
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return { 'text/event-stream': { schema: schemaOf(answer.events, 'output') } };
}

function parametersOf({ path, query }: Route): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = (query === undefined ? {} : schemaOf(query, 'input')) as {
    properties?: Json;
    required?: string[];
  };
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

function operationOf(name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.about,
    parameters: parametersOf(route),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(route.body, 'input') } }),
    responses: { 200: { description: 'Done', content: contentOf(route) }, default: refusal },
  };
}

const open = (name: string, about: string, schema: z.ZodType): Json => ({
  get: {
    operationId: name,
    summary: about,
    security: [],
    responses: { 200: { description: 'Well', content: json(schema, 'output') }, default: refusal },
  },
});

/** The whole API as an OpenAPI 3.1 document, made of the same schemas that requests are checked by. */
export function describeApi(version: string): Json {
  const paths: Record<string, Json> = {
    '/healthz': open('health', 'Whether the server lives', Health),
    '/readyz': open('readiness', 'Whether it can work', Readiness),
  };
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Planwright', version, description: 'Runs plans: start, watch, decide, understand.' },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'planwright' },
      },
    },
  };
}
