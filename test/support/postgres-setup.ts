import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { serverIn } from './postgres-server.ts';

/**
 * Before the tests: a folder for the PostgreSQL of this run. The first test that wants one starts it there, and all others
 * share it; after the tests it is ended. Projects are set up one by one and share it too.
 */
const shared = globalThis as { postgresOfTests?: { folder: string; users: number } };

export function setup(project: TestProject): () => void {
  shared.postgresOfTests ??= { folder: mkdtempSync(join(tmpdir(), 'pw-pg-')), users: 0 };
  const { postgresOfTests: mine } = shared;
  mine.users += 1;
  project.provide('postgres', { folder: mine.folder, owner: process.pid });
  return () => {
    mine.users -= 1;
    if (mine.users > 0) return;
    delete shared.postgresOfTests;
    const server = serverIn(mine.folder);
    if (existsSync(server.started)) {
      const pid = Number(readFileSync(server.started, 'utf8').split('\n')[0]);
      // Told to end at once: nothing of it is wanted any more.
      process.kill(pid, 'SIGQUIT');
      while (existsSync(server.started)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    rmSync(mine.folder, { recursive: true, force: true });
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { folder: string; owner: number };
  }
}
