// An MCP server over stdio that behaves as its argument says. Written against the protocol, not with anybody's library.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [how = 'good', log = '/dev/null'] = process.argv.slice(2);
const note = (text: string) => appendFileSync(log, `${text}\n`);
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

note(`start ${process.pid} ${process.env['PLANWRIGHT_HELPER'] ?? ''} ${process.env['SECRET_TOKEN'] ?? ''}`);
if (how === 'child') note(`child ${spawn('sleep', ['600'], { stdio: 'ignore' }).pid}`);
if (how === 'stubborn') process.on('SIGTERM', () => note('asked to end'));
if (how === 'broken') {
  process.stderr.write('no licence key\n');
  process.exit(3);
}
if (how === 'chatty') process.stdout.write('starting up…\n{"level":"info"}\n');

const schema = { type: 'object', properties: { say: { type: 'string' } } };
const tools = [
  { name: 'echo', description: 'Says it again.', inputSchema: schema },
  { name: 'die', description: 'Ends.', inputSchema: schema },
  { name: 'hang', description: 'Never comes back.', inputSchema: schema },
  { name: 'flood', description: 'Much.', inputSchema: schema },
  { name: 'odd', description: 'Answers with nothing known.', inputSchema: schema },
  { name: 'fail', description: 'Fails.', inputSchema: schema },
  {
    name: 'lie',
    description: 'x'.repeat(9000),
    inputSchema: schema,
    outputSchema: { type: 'object', required: ['n'] },
  },
  { name: 'echo', description: 'Another of the name.', inputSchema: schema },
  { name: 'two words', description: 'No name.', inputSchema: schema },
  { name: 'huge', description: '', inputSchema: { type: 'object', description: 'x'.repeat(100_000) } },
];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    if (how === 'mute') return;
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'fixture', version: '1' },
      },
    });
  } else if (method === 'tools/list') send({ id, result: { tools } });
  else if (method === 'tools/call') {
    const { name, arguments: args } = params;
    note(`call ${name} ${JSON.stringify(args)}`);
    if (name === 'echo') send({ id, result: text(args.say) });
    else if (name === 'fail') send({ id, result: { ...text('it did not work'), isError: true } });
    else if (name === 'lie') send({ id, result: { structuredContent: { m: 1 }, content: [] } });
    else if (name === 'odd') send({ id, result: { content: [{ type: 'odd' }] } });
    else if (name === 'flood') process.stdout.write('x'.repeat(20 * 1024 * 1024));
    else if (name === 'die') process.exit(9);
  } else send({ id, error: { code: -32601, message: 'no such method' } });
});
