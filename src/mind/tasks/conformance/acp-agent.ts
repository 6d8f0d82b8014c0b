import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, PROTOCOL_VERSION, type ToolCallUpdate } from '@agentclientprotocol/sdk';

/**
 * A program that speaks the Agent Client Protocol and does what its argument says, a list of steps as JSON; of several, by
 * the mode that the prompt is for. It is for tests.
 */
export type AcpStep =
  | { say: string }
  /** Asks, and says `allowed` or `refused`. `then`: what it does by itself where it may. */
  | { permit: Omit<ToolCallUpdate, 'toolCallId'>; then?: { write: string; text: string } }
  | { terminal: string }
  | { read: string }
  | { write: string; text: string }
  /** By itself, without asking anybody. */
  | { writes: string; text: string }
  | { runs: string }
  | { usage: number; dollars: number }
  /** A child that nobody ends, with its number in a file. */
  | { leave: string }
  | { hang: true }
  | { exit: number };

const given = JSON.parse(process.argv[2] ?? '[]') as AcpStep[] | Record<string, AcpStep[]>;
const canGoOn = process.argv[3] === 'goes-on';

const stepsFor = (prompt: string): AcpStep[] => {
  if (Array.isArray(given)) return given;
  const found = Object.keys(given).find((word) => prompt.includes(word));
  return found === undefined ? [] : given[found]!;
};

agent({ name: 'test' })
  .onRequest('initialize', () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: canGoOn },
  }))
  .onRequest('session/new', () => ({ sessionId: 'session-1' }))
  .onRequest('session/load', () => ({}))
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const say = (words: string) =>
      client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } },
      });
    let calls = 0;
    for (const step of stepsFor(text)) {
      if ('say' in step) await say(step.say);
      if ('permit' in step) {
        calls += 1;
        const toolCall = { toolCallId: `call-${calls}`, ...step.permit };
        await client.notify('session/update', {
          sessionId,
          update: { sessionUpdate: 'tool_call', title: 'a call', ...toolCall } as never,
        });
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall,
          options: [
            { optionId: 'always', name: 'Always', kind: 'allow_always' },
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        });
        const isAllowed = outcome.outcome === 'selected' && outcome.optionId === 'yes';
        if (isAllowed && step.then !== undefined) writeFileSync(step.then.write, step.then.text);
        await say(isAllowed ? 'allowed\n' : 'refused\n');
      }
      if ('terminal' in step) {
        const terminal = await client.createTerminal({ sessionId, command: step.terminal });
        const { exitCode } = await terminal.waitForExit();
        await say(`${(await terminal.currentOutput()).output}exit ${exitCode}\n`);
        await terminal.release();
      }
      if ('read' in step)
        await client
          .request('fs/read_text_file', { sessionId, path: step.read })
          .then(({ content }) => say(content))
          .catch((error: unknown) => say(`not read: ${(error as Error).message}\n`));
      if ('write' in step)
        await client
          .request('fs/write_text_file', { sessionId, path: step.write, content: step.text })
          .catch((error: unknown) => say(`not written: ${(error as Error).message}\n`));
      if ('writes' in step)
        try {
          writeFileSync(step.writes, step.text);
        } catch (error) {
          await say(`not written: ${(error as Error).message}\n`);
        }
      if ('runs' in step) {
        const { status, stdout, stderr } = spawnSync('bash', ['-c', step.runs], { encoding: 'utf8' });
        await say(`${stdout}${stderr}exit ${status}\n`);
      }
      if ('usage' in step)
        await client.notify('session/update', {
          sessionId,
          update: {
            sessionUpdate: 'usage_update',
            used: step.usage,
            size: 200_000,
            cost: { amount: step.dollars, currency: 'USD' },
          },
        });
      if ('leave' in step) {
        const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
        child.unref();
        writeFileSync(step.leave, String(child.pid));
      }
      if ('hang' in step) await new Promise(() => setInterval(() => {}, 1000));
      if ('exit' in step) process.exit(step.exit);
    }
    return { stopReason: 'end_turn' };
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
