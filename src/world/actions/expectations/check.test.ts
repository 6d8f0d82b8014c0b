import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Expectation } from '../../../core/contract/index.ts';
import { checkExpectation, type ExpectationContext, observe } from './check.ts';
import { watchOutput } from './output.ts';

const workspace = mkdtempSync(join(tmpdir(), 'pw-expects-'));
const context: ExpectationContext = {
  workspace,
  cwd: workspace,
  path: process.env['PATH'],
  exitCode: 0,
  output: null,
  // For what never answers: on a busy machine half a second is nothing.
  timeoutMs: 120_000,
};
const check = (expectation: Expectation, more: Partial<ExpectationContext> = {}) =>
  checkExpectation(expectation, { ...context, ...more });

beforeAll(() => {
  mkdirSync(join(workspace, 'folder'));
  writeFileSync(join(workspace, 'file.txt'), `${'x'.repeat(300_000)}needle in ✓ hay`);
  writeFileSync(join(workspace, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('nowhere', join(workspace, 'broken'));
  execFileSync('mkfifo', [join(workspace, 'pipe')]);
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe('files and folders', () => {
  const file = (path: string, exists = true): Expectation => ({ kind: 'file-exists', path, exists });
  const folder = (path: string, exists = true): Expectation => ({ kind: 'dir-exists', path, exists });
  const contains = (path: string, text: string): Expectation => ({ kind: 'file-contains', path, text });

  test.each<[Expectation, boolean, string]>([
    [file('file.txt'), true, 'file file.txt exists'],
    [file('no'), false, 'expected file no to exist, and it does not'],
    [file('file.txt/no'), false, 'expected file file.txt/no to exist, and it does not'],
    [file('broken'), false, 'expected file broken to exist, and it does not'],
    [file('folder'), false, 'expected file folder to exist, and it is a folder'],
    [file('no', false), true, 'file no does not exist'],
    [file('file.txt', false), false, 'expected file file.txt not to exist, and it does'],
    [folder('folder'), true, 'folder folder exists'],
    [folder('file.txt'), false, 'expected folder file.txt to exist, and it is a file'],
    [folder('no', false), true, 'folder no does not exist'],
    [contains('file.txt', 'needle in ✓'), true, 'file file.txt contains "needle in ✓"'],
    [contains('file.txt', 'hay!'), false, 'expected file file.txt to contain "hay!", and it does not'],
    [contains('no', 'a'), false, 'expected file no to contain "a", and there is no such file'],
    [contains('pipe', 'a'), false, 'expected file pipe to contain "a", and it is no file'],
    [file('a\0b'), false, 'whether file a\0b exists could not be seen'],
  ])('%j', async (expectation, held, sentence) => {
    expect(await check(expectation)).toEqual({ held, sentence });
  });

  test('a text across two reads is found', async () => {
    writeFileSync(join(workspace, 'big'), `${'x'.repeat(256 * 1024 - 3)}needle`);
    expect(await check(contains('big', 'needle'))).toMatchObject({ held: true });
  });
});

test('a command is searched on the shell’s own PATH', async () => {
  const expectation: Expectation = { kind: 'command-exists', command: 'tool' };
  expect(await check(expectation)).toEqual({
    held: false,
    sentence: 'expected command tool to exist, and it is not on the PATH',
  });
  expect(await check(expectation, { path: `/x:${workspace}` })).toMatchObject({ held: true });
  expect(await check(expectation, { path: '.' })).toMatchObject({ held: true });
  expect(await check({ kind: 'command-exists', command: './tool' })).toMatchObject({ held: true });
  expect(await check({ kind: 'command-exists', command: 'folder' }, { path: workspace })).toMatchObject({
    held: false,
  });
});

describe('output', () => {
  const watched = (expectation: Expectation, ...chunks: ['stdout' | 'stderr', string][]) => {
    const output = watchOutput(expectation)!;
    for (const [stream, text] of chunks) output.see(stream, Buffer.from(text));
    return check(expectation, { output });
  };
  const has = (stream: 'stdout' | 'stderr' | 'output', text: string, contains = true): Expectation => ({
    kind: 'output-contains',
    stream,
    text,
    contains,
  });

  test('a text is found across chunks, in its own stream', async () => {
    expect(
      await watched(has('stdout', 'hello'), ['stdout', 'he'], ['stdout', 'l'], ['stdout', 'lo']),
    ).toMatchObject({
      held: true,
    });
    expect(await watched(has('stdout', 'hello'), ['stderr', 'hello'])).toMatchObject({ held: false });
    expect(await watched(has('output', 'hello'), ['stderr', 'hello'])).toMatchObject({ held: true });
    expect(await watched(has('output', 'x', false), ['stderr', 'x'])).toEqual({
      held: false,
      sentence: 'expected the output not to contain "x", and it does',
    });
  });

  test('a pattern matches a line', async () => {
    const matches: Expectation = { kind: 'output-matches', stream: 'stdout', pattern: '^v\\d+$' };
    expect(await watched(matches, ['stdout', 'a\nv24\nb'])).toMatchObject({ held: true });
    expect(await watched(matches, ['stdout', 'v24x'])).toMatchObject({ held: false });
  });

  test('a pattern that would take for ever is given up', async () => {
    const endless: Expectation = { kind: 'output-matches', stream: 'stdout', pattern: '^(a+)+$' };
    const seen = await watched(endless, ['stdout', `${'a'.repeat(60)}b`]);
    expect(seen).toMatchObject({ held: false, sentence: expect.stringContaining('could not be tried') });
  });
});

describe('ports and addresses', () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (request.url === '/slow') return;
    if (request.url === '/there') response.writeHead(302, { location: '/' });
    if (request.url === '/late' && asked % 3 !== 0) response.writeHead(503);
    response.end('hello there');
  });
  let port = 0;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = (path: string, status: number, contains?: string): Expectation => ({
    ...{ kind: 'url', url: `http://127.0.0.1:${port}${path}`, status },
    ...(contains === undefined ? {} : { contains }),
  });

  test('a port', async () => {
    expect(await check({ kind: 'port', port, open: true })).toEqual({
      held: true,
      sentence: `port ${port} is open`,
    });
    expect(await check({ kind: 'port', port, open: false })).toMatchObject({ held: false });
    expect(await check({ kind: 'port', port: 1, open: true })).toEqual({
      held: false,
      sentence: 'expected port 1 to be open, and nothing listens there',
    });
    expect(await check({ kind: 'port', port: 1, open: false })).toMatchObject({ held: true });
  });

  test('an address', async () => {
    expect(await check(url('/', 200))).toMatchObject({ held: true });
    expect(await check(url('/', 404))).toMatchObject({
      sentence: expect.stringContaining('and it answers 200'),
    });
    expect(await check(url('/there', 200))).toMatchObject({ held: true });
    expect(await check(url('/there', 302))).toMatchObject({ held: true });
    expect(await check(url('/', 200, 'hello'))).toMatchObject({ held: true });
    expect(await check(url('/', 200, 'goodbye'))).toMatchObject({ held: false });
    const closed: Expectation = { kind: 'url', url: 'http://127.0.0.1:1/', status: 200 };
    expect(await check(closed)).toMatchObject({
      held: false,
      sentence: expect.stringContaining('could not be reached'),
    });
  });

  test('one that does not answer in time can not be told', async () => {
    expect(await observe(url('/slow', 200), { ...context, timeoutMs: 100 })).toMatchObject({
      held: null,
      sentence: expect.stringContaining('did not answer within 0.1 s'),
    });
  });

  test('one that needs a moment is given it, where there is patience', async () => {
    asked = 0;
    expect(await check(url('/late', 200))).toMatchObject({ held: false });
    asked = 0;
    expect(await check(url('/late', 200), { patienceMs: 5_000 })).toMatchObject({ held: true });
  });
});
