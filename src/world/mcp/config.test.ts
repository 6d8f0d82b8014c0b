import { expect, test } from 'vitest';
import { mcpName, readMcpName } from '../../core/contract/index.ts';
import { readMcpConfig } from './config.ts';

const read = (servers: unknown, env = {}) =>
  readMcpConfig(JSON.stringify({ mcpServers: servers }), '.mcp.json', env);

test('servers are read as other tools write them', () => {
  expect(
    read(
      {
        files: { command: 'npx', args: ['-y', 'files', '${ROOT}'], env: { KEY: '${KEY:-none}' } },
        far: { type: 'http', url: 'https://${HOST}/mcp', headers: { authorization: 'Bearer ${TOKEN}' } },
        plain: { url: 'http://127.0.0.1:1/mcp' },
        off: { command: 'x', disabled: true },
      },
      { ROOT: '/srv', HOST: 'mcp.example', TOKEN: 't' },
    ),
  ).toEqual({
    servers: [
      {
        kind: 'stdio',
        name: 'files',
        command: 'npx',
        args: ['-y', 'files', '/srv'],
        env: { KEY: 'none' },
        cwd: null,
      },
      { kind: 'http', name: 'far', url: 'https://mcp.example/mcp', headers: { authorization: 'Bearer t' } },
      { kind: 'http', name: 'plain', url: 'http://127.0.0.1:1/mcp', headers: {} },
    ],
    problems: [],
  });
});

test.each([
  ['{', 'no JSON'],
  ['[]', 'mcpServers'],
  ['{"mcpServers":{"a b":{"command":"x"}}}', 'a name has'],
  ['{"mcpServers":{"a__b":{"command":"x"}}}', 'a name has'],
  ['{"mcpServers":{"a":{"command":1}}}', 'command'],
  ['{"mcpServers":{"a":{"url":"file:///etc/passwd"}}}', 'url'],
  ['{"mcpServers":{"a":{"type":"sse","url":"http://h/sse"}}}', 'streamable HTTP'],
  ['{"mcpServers":{"a":{"command":"x","args":["${NOT_SET}"]}}}', 'NOT_SET is not set'],
  ['{"mcpServers":{"a":[]}}', ''],
])('%s is said, and read no further', (text, problem) => {
  const { servers, problems } = readMcpConfig(text, '.mcp.json', {});
  expect(servers).toEqual([]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test('a broken one does not take the others with it', () => {
  const { servers, problems } = read({ bad: {}, good: { command: 'x' } });
  expect([servers.map(({ name }) => name), problems]).toMatchObject([
    ['good'],
    [expect.stringContaining('bad')],
  ]);
});

test('a name stands for a server and a tool, whatever the tool is called', () => {
  expect(readMcpName(mcpName('my_files', 'read__all'))).toEqual({ server: 'my_files', tool: 'read__all' });
  for (const name of ['read_file', 'mcp__x', 'mcp____x', 'mcp__x__'])
    expect(readMcpName(name), name).toBeNull();
});
