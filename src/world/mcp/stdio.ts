import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { baseEnvironment, helperEnvironment } from '../process/environment.ts';
import type { McpServer } from './config.ts';

/** One message, and what is kept of its standard error for a person. */
const MAX_MESSAGE = 8 * 1024 * 1024;
const MAX_SAID = 4 * 1024;
const GRACE_MS = 2000;

/** Of the caller's environment: what every program needs. A server is told a secret only where its entry says so. */
const inherited = new Set('HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL TMPDIR TZ'.split(' '));

const Message = z.looseObject({ jsonrpc: z.literal('2.0') });

/**
 * A server that is a process: one line of JSON is one message. It leads a group of its own, carries our mark, and all of
 * the group ends with the connection, so that nothing that it started is left behind or could decide for anybody.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;

  readonly #server: McpServer & { kind: 'stdio' };
  readonly #place: { env: Readonly<Record<string, string | undefined>>; cwd: string; owner: string };
  #child: ChildProcess | null = null;
  #said = '';
  #rest = '';
  #closed = false;

  constructor(
    server: McpServer & { kind: 'stdio' },
    place: { env: Readonly<Record<string, string | undefined>>; cwd: string; owner: string },
  ) {
    this.#server = server;
    this.#place = place;
  }

  /** The end of what it wrote to its standard error. */
  get said(): string {
    return this.#said.trim();
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server;
    const kept = Object.entries(baseEnvironment(this.#place.env)).filter(([name]) => inherited.has(name));
    const child = spawn(command, [...args], {
      cwd: cwd ?? this.#place.cwd,
      env: helperEnvironment({ ...Object.fromEntries(kept), ...env }, this.#place.owner),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    child.stdin!.on('error', () => {});
    child.stdout!.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-MAX_SAID);
    });
    child.once('exit', () => this.#end());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#closed || !stdin?.writable) throw new Error('the server has ended');
    await new Promise<void>((resolve, reject) =>
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Its input ends, then it is asked to end, then it is made to. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
      child.stdin?.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        this.#signal(signal);
        const late = new Promise<'late'>((resolve) => setTimeout(resolve, GRACE_MS, 'late').unref());
        if ((await Promise.race([gone, late])) !== 'late') break;
      }
    }
    this.#end();
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    // What it started and left behind.
    this.#signal('SIGKILL');
    this.onclose?.();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_MESSAGE) {
      this.onerror?.(new Error('the server sent a message that is too long'));
      void this.close();
      return;
    }
    for (const line of lines) {
      if (line.trim() === '') continue;
      const message = read(line);
      // Servers that log to their standard output are many: what is no message is passed over.
      if (message === null) this.#said = `${this.#said}${line}\n`.slice(-MAX_SAID);
      else this.onmessage?.(message);
    }
  }
}

function read(line: string): JSONRPCMessage | null {
  try {
    const found = Message.safeParse(JSON.parse(line));
    return found.success ? (found.data as unknown as JSONRPCMessage) : null;
  } catch {
    return null;
  }
}
