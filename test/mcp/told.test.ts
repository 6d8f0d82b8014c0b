import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, openBench } from '../support/cli.ts';
import { bundled } from '../support/program.ts';
import { startOpenAi, type WireServer } from '../wire/index.ts';

const FIXTURE = bundled(import.meta.dirname, 'fixture.ts');

let bench: Bench;
let server: WireServer;
beforeEach(async () => {
  bench = openBench({ here: true });
  server = await startOpenAi(() => ({ text: 'Hello.' }));
  const started = (how: string) => ({ command: process.execPath, args: [FIXTURE, how] });
  const mcpServers = {
    good: { ...started('good'), env: { TOKEN: '${MCP_TOKEN}' } },
    lost: started('broken'),
    old: { type: 'sse', url: 'http://127.0.0.1:9/sse' },
    far: { url: 'http://127.0.0.1:9/${MCP_TOKEN}' },
  };
  bench.write('.mcp.json', JSON.stringify({ mcpServers }));
});
afterEach(async () => {
  bench.clean();
  await server.close();
});

const secret = 'mcp-5Up3rS3cretValue-0123456789';
const env = () => ({
  MCP_TOKEN: secret,
  PLANWRIGHT_MODELS_URL: server.url,
  PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
  OLLAMA_HOST: 'http://127.0.0.1:9',
});

test('whoever trusts a folder is told which servers it names, and no value that goes with them', async () => {
  const { stderr } = await bench.run(['trust'], env());
  expect(stderr).toMatch(/servers of tools:\n {2}good \(\S*node\S* \S+fixture\.js good\)\n {2}lost \(/);
  expect(stderr).toContain('far (http://127.0.0.1:9/${MCP_TOKEN})');
  expect(stderr).toContain('"old": the old transport "sse" is not spoken');
  expect(stderr).not.toContain(secret);
});

test('a conversation says which servers do not answer, and goes on without them', async () => {
  await bench.run(['trust'], env());
  const { code, stdout, stderr } = await bench.run(['chat', 'hello'], env());
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' });
  expect(stderr.match(/Tools of servers: /g)).toHaveLength(3);
  expect(stderr).toMatch(/Tools of servers: lost does not answer: .*\(no licence key\)/);
  expect(stderr).toMatch(/Tools of servers: far does not answer/);
  expect(stderr).not.toContain(secret);
});

test('nothing is said of the servers of a folder that nobody trusts; of one that has changed since, it is', async () => {
  expect((await bench.run(['chat', 'hello'], env())).stderr).not.toContain('Tools of servers');
  await bench.run(['trust'], env());
  bench.write('.mcp.json', '{"mcpServers":{}}');
  expect((await bench.run(['chat', 'hello'], env())).stderr).toMatch(
    /\.mcp\.json has changed since the folder was trusted/,
  );
});

test('doctor starts them and says how that went', async () => {
  expect((await bench.run(['doctor'], env())).stdout).not.toContain('tool servers');
  await bench.run(['trust'], env());
  const { stdout } = await bench.run(['doctor'], env());
  expect(stdout).toMatch(/tool servers.*good: \d+ tools.*lost does not answer.*no licence key/);
  expect(stdout).not.toContain(secret);
});
