import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { quoteWord } from '../../../../core/shell/index.ts';
import type { ProgramPeer } from '../../../../world/process/peer.ts';
import type { ClaudeProcess, ClaudeSpawn } from './sdk.ts';

/** Starts the program behind the SDK at its gate, written down before it runs. Rejects with what prevents it. */
export type StartClaude = (command: string, asked: ClaudeSpawn) => Promise<ProgramPeer>;

/**
 * A process for the SDK, which wants one at once: what is written to it waits until it has been started, written down and
 * let go.
 */
export class StartingProcess extends EventEmitter implements ClaudeProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  killed = false;
  exitCode: number | null = null;
  #peer: ProgramPeer | null = null;

  constructor(start: StartClaude, asked: ClaudeSpawn) {
    super();
    const command = [asked.command, ...asked.args].map((word) => quoteWord(word)).join(' ');
    this.#run(start(command, asked)).catch((error: unknown) => {
      if (this.listenerCount('error') > 0) this.emit('error', error);
      this.#exit(1, null);
    });
  }

  kill(): boolean {
    this.killed = true;
    void this.#peer?.end();
    return true;
  }

  async #run(starting: Promise<ProgramPeer>): Promise<void> {
    const peer = await starting;
    this.#peer = peer;
    this.stdin.pipe(peer.input);
    peer.output.pipe(this.stdout);
    if (this.killed) void peer.end();
    const { exitCode, signal } = await peer.exited;
    this.#exit(exitCode, signal);
  }

  #exit(code: number | null, signal: string | null): void {
    this.exitCode = code ?? 1;
    this.stdout.end();
    this.emit('exit', code, signal);
  }
}
