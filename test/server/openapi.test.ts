import { expect, it } from 'vitest';
import { type Route, routes } from '../../src/core/contract/index.ts';
import { describeApi } from '../../src/doors/server/openapi.ts';

type Node = Record<string, unknown>;
const document = JSON.parse(JSON.stringify(describeApi('1.2.3'))) as Node & {
  paths: Record<string, Record<string, Operation>>;
};

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Node }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Node }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Node }> }>;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object in the document, with where it is. */
function* walk(value: unknown, at = '#'): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Node];
  for (const [key, part] of Object.entries(value)) yield* walk(part, `${at}/${key}`);
}

const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (node, key) => (node as Node | undefined)?.[decodeURIComponent(key).replaceAll('~1', '/')],
      document,
    );

it('has every route, once, with its parameters, its body and what it answers', () => {
  const described = operations.filter(({ path }) => path.startsWith('/api/'));
  expect(described.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(routes).sort());
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const { path, method, operation } = described.find((one) => one.operation.operationId === name)!;
    expect({ name, method, path }).toEqual({
      name,
      method: route.method.toLowerCase(),
      path: `/api${route.path.replace(/:(\w+)/g, '{$1}')}`,
    });
    expect(operation.summary).toBe(route.about);
    expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
    const type =
      'json' in route.answer
        ? 'application/json'
        : 'bytes' in route.answer
          ? 'application/octet-stream'
          : 'text/event-stream';
    expect(Object.keys(operation.responses['200']!.content)).toEqual([type]);
  }
  expect(operations.map(({ path }) => path)).toEqual(expect.arrayContaining(['/healthz', '/readyz']));
});

it('is OpenAPI 3.1: the fields that must be there are, and every reference leads somewhere', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Planwright', version: '1.2.3' } });
  for (const { path, method, operation } of operations) {
    expect(['get', 'post', 'put', 'delete']).toContain(method);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(inPath);
    expect(declared.every(({ required }) => required)).toBe(true);
    for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
  }
  const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
  for (const [at, node] of walk(document)) {
    const ref = node['$ref'];
    if (typeof ref === 'string' && ref.startsWith('#/components/'))
      expect(resolve(ref), `${at} → ${ref}`).toBeDefined();
    if (typeof ref === 'string') expect(ref, at).toMatch(/^#\/components\/schemas\/\w+$/);
    if (/\/schema$/.test(at) && typeof node['type'] === 'string') expect(types).toContain(node['type']);
  }
});

it('describes what is really asked for: a request that the schema refuses is refused', () => {
  const create = document.paths['/api/runs']!['post']!.requestBody!.content['application/json']!.schema;
  expect(create).toMatchObject({ type: 'object', required: ['source'], additionalProperties: false });
  const list = document.paths['/api/runs']!['get']!.parameters!;
  expect(list.map(({ name }) => name)).toEqual(['state', 'workspace', 'text', 'limit', 'cursor']);
  for (const path of ['runs/{id}/events', 'runs/{id}/stream', 'streams/{id}/events', 'streams/{id}/stream']) {
    const expand = document.paths[`/api/${path}`]!['get']!.parameters!.find(({ name }) => name === 'expand');
    expect(expand, path).toMatchObject({ in: 'query', schema: { const: 'plan' } });
  }
});
