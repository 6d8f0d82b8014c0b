import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileChange, type SimpleAction, StepResult } from '../../../core/contract/index.ts';
import { parseAction } from '../../../core/plan/index.ts';
import { memoryOutput, type Performance, perform, stepOf, testPerformer } from '../testing.ts';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-files-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const at = (path: string): string => join(workspace, path);
const put = (path: string, text = '', mode?: number): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  if (mode !== undefined) chmodSync(at(path), mode);
};
const text = (path: string): string => readFileSync(at(path), 'utf8');
const modeOf = (path: string): number => lstatSync(at(path)).mode & 0o7777;

function actionOf(line: string): SimpleAction {
  const parsed = parseAction(line);
  if (!parsed.ok) throw new Error(line);
  return parsed.action as SimpleAction;
}
const output = memoryOutput();
const performer = testPerformer({ output });
const act = async (line: string, more: Partial<Performance> & { expects?: string } = {}) => {
  const { expects, ...rest } = more;
  const step = stepOf(actionOf(line), expects === undefined ? {} : { expects });
  return StepResult.parse(await perform({ performer, step, workspace, ...rest }));
};
const done = async (line: string): Promise<StepResult> => {
  const result = await act(line);
  expect([result.why, result.message]).toEqual([undefined, undefined]);
  return result;
};
const refusal = async (line: string): Promise<string> => {
  const before = readdirSync(workspace, { recursive: true }).sort();
  const result = await act(line);
  expect(result.why).toMatch(/^(not-started|blocked)$/);
  expect(readdirSync(workspace, { recursive: true }).sort()).toEqual(before);
  return result.message!.replaceAll(workspace, 'W');
};

describe('WRITE_FILE', () => {
  test('writes, and says so in the log', async () => {
    const result = await done('WRITE_FILE a.txt "one\\ntwo\\n"');
    expect(text('a.txt')).toBe('one\ntwo\n');
    expect([result.stdoutTail, output.text()]).toEqual([
      'wrote 8 bytes to a.txt\n',
      'wrote 8 bytes to a.txt\n',
    ]);
    expect(result).not.toHaveProperty('session');
  });

  test('keeps the mode of what was there, and writes through a link that stays inside', async () => {
    put('sub/run.sh', 'old', 0o750);
    symlinkSync('sub/run.sh', at('run'));
    await done('WRITE_FILE run "new"');
    expect([text('sub/run.sh'), modeOf('sub/run.sh'), readlinkSync(at('run'))]).toEqual([
      'new',
      0o750,
      'sub/run.sh',
    ]);
  });

  test('leaves what is already so as it is', async () => {
    put('a', 'same');
    const { mtimeNs } = statSync(at('a'), { bigint: true });
    const prepared: FileChange[][] = [];
    await act('WRITE_FILE a "same"', { prepared: (changes) => prepared.push(changes) > 0 });
    expect(statSync(at('a'), { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(prepared).toEqual([]);
  });

  test('makes no folder by the way', async () => {
    expect(await refusal('WRITE_FILE no/such/a "x"')).toBe(
      'could not be done: there is no folder W/no: make it with CREATE_DIR first',
    );
    put('dir/x');
    expect(await refusal('WRITE_FILE dir "x"')).toBe('could not be done: W/dir is a folder');
    expect(await refusal('WRITE_FILE dir/x/y "x"')).toBe('could not be done: W/dir/x is no folder');
  });

  test('what is shown before is what becomes of it', async () => {
    put('a', 'old');
    let told: FileChange[] = [];
    const prepared = (changes: FileChange[]) => {
      told = changes;
      expect(text('a')).toBe('old');
      return true;
    };
    await act('WRITE_FILE a "new"', { prepared });
    const sha = (word: string) => expect.stringMatching(`^file:${word}`);
    expect(told).toEqual([{ path: at('a'), before: sha('cba06b57'), after: sha('11507a0e') }]);
  });

  test('a driver that lost its claim changes nothing', async () => {
    const result = await act('WRITE_FILE a "new"', { prepared: () => false });
    expect(result).toMatchObject({ why: 'not-started', message: 'not started: this driver lost the run' });
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('what somebody else wrote meanwhile is not overwritten', async () => {
    put('a', 'old');
    const prepared = () => {
      writeFileSync(at('a'), 'theirs');
      return true;
    };
    const result = await act('WRITE_FILE a "new"', { prepared });
    expect(result.message).toBe(`could not be done: ${at('a')} was changed by somebody else meanwhile`);
    expect([text('a'), readdirSync(workspace)]).toEqual(['theirs', ['a']]);
  });

  test('relative to where the session is', async () => {
    put('sub/x');
    await act('WRITE_FILE a "here"', { session: { cwd: at('sub'), env: {} } });
    expect(text('sub/a')).toBe('here');
  });
});

test('APPEND_FILE adds at the end, and begins a file', async () => {
  put('log', 'one\n', 0o640);
  await done('APPEND_FILE log "two\\n"');
  await done('APPEND_FILE new "first\\n"');
  expect([text('log'), modeOf('log'), text('new')]).toEqual(['one\ntwo\n', 0o640, 'first\n']);
});

describe('EDIT_FILE', () => {
  test('replaces what occurs once, in bytes that are no text too', async () => {
    writeFileSync(at('a'), Buffer.from([0xff, 0x41, 0x42, 0x0a, 0xfe]));
    await done('EDIT_FILE a "AB" "xyz"');
    expect(readFileSync(at('a'))).toEqual(Buffer.from([0xff, 0x78, 0x79, 0x7a, 0x0a, 0xfe]));
  });

  test('says precisely why not', async () => {
    put('a', 'port = 1\nhost = x\nport = 1\n');
    expect(await refusal('EDIT_FILE a "port = 2" "x"')).toBe(
      'could not be done: W/a does not contain "port = 2"',
    );
    expect(await refusal('EDIT_FILE a "port = 1" "x"')).toBe(
      'could not be done: W/a contains "port = 1" more than once (lines 1 and 3): say more of what is around it',
    );
    expect(await refusal('EDIT_FILE b "x" "y"')).toBe('could not be done: there is no file W/b to edit');
  });
});

test('CREATE_DIR makes folders above too, and finds one that is there', async () => {
  await done('CREATE_DIR a/b/c');
  expect((await done('CREATE_DIR a/b/c')).stdoutTail).toBe('a/b/c is already there\n');
  expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
  put('file');
  expect(await refusal('CREATE_DIR file')).toBe('could not be done: W/file is there, and is no folder');
  expect(await refusal('CREATE_DIR file/x')).toBe('could not be done: W/file is no folder');
});

describe('COPY_PATH and MOVE_PATH', () => {
  const tree = (): void => {
    put('src/a.sh', 'a', 0o755);
    put('src/deep/b', 'b', 0o600);
    symlinkSync('../a.sh', at('src/deep/link'));
    symlinkSync('/etc/passwd', at('src/out'));
    chmodSync(at('src/deep'), 0o711);
  };
  const isTree = (path: string): void => {
    expect(readdirSync(at(path), { recursive: true }).sort()).toEqual([
      'a.sh',
      'deep',
      'deep/b',
      'deep/link',
      'out',
    ]);
    expect([modeOf(`${path}/a.sh`), modeOf(`${path}/deep/b`), modeOf(`${path}/deep`)]).toEqual([
      0o755, 0o600, 0o711,
    ]);
    expect([readlinkSync(at(`${path}/deep/link`)), readlinkSync(at(`${path}/out`))]).toEqual([
      '../a.sh',
      '/etc/passwd',
    ]);
  };

  test('a folder with all that is in it, modes and links kept', async () => {
    tree();
    await done('COPY_PATH src copy');
    isTree('src');
    isTree('copy');
    await done('MOVE_PATH copy moved');
    isTree('moved');
    expect(readdirSync(workspace).sort()).toEqual(['moved', 'src']);
  });

  test('a file takes the place of a file', async () => {
    put('a', 'new', 0o600);
    put('b', 'old', 0o644);
    await done('COPY_PATH a b');
    expect([text('b'), modeOf('b')]).toEqual(['new', 0o600]);
    put('c', 'third');
    await done('MOVE_PATH c b');
    expect([text('b'), existsSync(at('c'))]).toEqual(['third', false]);
  });

  test('a link is copied and moved as a link', async () => {
    symlinkSync('/nowhere', at('link'));
    await done('COPY_PATH link copy');
    await done('MOVE_PATH link moved');
    expect([readlinkSync(at('copy')), readlinkSync(at('moved'))]).toEqual(['/nowhere', '/nowhere']);
  });

  test('what cannot be is refused, and nothing is left lying about', async () => {
    tree();
    put('file');
    for (const verb of ['COPY_PATH', 'MOVE_PATH']) {
      expect(await refusal(`${verb} none x`)).toContain('there is nothing at W/none');
      expect(await refusal(`${verb} file src`)).toContain('W/src is a folder: say the new name too');
      expect(await refusal(`${verb} src file`)).toContain('a folder cannot take its place');
      expect(await refusal(`${verb} src src/deep/x`)).toContain('cannot go into itself');
      expect(await refusal(`${verb} file file`)).toContain('is already there');
      expect(await refusal(`${verb} . x`)).toContain('the workspace itself');
    }
  });
});

describe('DELETE_PATH', () => {
  test('a file, a link and not what it leads to, a folder', async () => {
    put('dir/deep/file');
    put('file');
    symlinkSync('dir', at('link'));
    await done('DELETE_PATH link');
    await done('DELETE_PATH file');
    expect(readdirSync(workspace)).toEqual(['dir']);
    await done('DELETE_PATH dir');
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('never the workspace, by whatever name', async () => {
    put('a/b');
    symlinkSync('.', at('a/self'));
    for (const path of ['.', 'a/..', workspace, `${workspace}/a/..`]) {
      expect(await refusal(`DELETE_PATH ${path}`)).toContain('the workspace itself is never deleted');
    }
    expect(await refusal('DELETE_PATH none')).toContain('there is nothing at W/none');
  });
});

describe('LIST_FILES', () => {
  const list = async (pattern: string) => {
    const { captured } = await done(`LIST_FILES ${pattern} AS found`);
    expect(captured).toMatchObject({ key: 'found' });
    return [captured!.value].flat().map((path) => path.replace(`${workspace}/`, ''));
  };
  test('finds files by pattern, in the order of bytes', async () => {
    for (const path of [
      'b.ts',
      'a.ts',
      'B.ts',
      'src/c.ts',
      'src/deep/d.ts',
      'src/.hidden/e.ts',
      '.f.ts',
      '.git/g.ts',
    ])
      put(path);
    put('é.ts');
    symlinkSync('src', at('link'));
    symlinkSync('a.ts', at('l.ts'));
    symlinkSync('/etc/passwd', at('out.ts'));
    symlinkSync('/etc', at('etc'));
    expect(await list('*.ts')).toEqual(['B.ts', 'a.ts', 'b.ts', 'l.ts', 'é.ts']);
    expect(await list('**/*.ts')).toEqual([
      'B.ts',
      'a.ts',
      'b.ts',
      'l.ts',
      'src/c.ts',
      'src/deep/d.ts',
      'é.ts',
    ]);
    expect(await list('src/**')).toEqual(['src/c.ts', 'src/deep/d.ts']);
    expect(await list('src/**/d.ts')).toEqual(['src/deep/d.ts']);
    expect(await list('**/.hidden/*')).toEqual(['src/.hidden/e.ts']);
    expect(await list('.*')).toEqual(['.f.ts']);
    expect(await list('.git/*')).toEqual([]);
    expect(await list('link/*')).toEqual(['src/c.ts']);
    expect(await list('e*/*')).toEqual([]);
    expect(await refusal('LIST_FILES etc/* AS x')).toContain('leads out of the workspace');
    expect(await list('{a,b}.ts')).toEqual(['a.ts', 'b.ts']);
    expect(await list('a.ts')).toEqual(['a.ts']);
    expect(await list('none/*')).toEqual([]);
    expect(await list(`${workspace}/src/*`)).toEqual(['src/c.ts']);
  });

  test('not more than a loop can go through', async () => {
    mkdirSync(at('many'));
    for (let i = 0; i <= 10_000; i += 1) writeFileSync(at(`many/${i}`), '');
    expect(await refusal('LIST_FILES many/* AS x')).toContain('more than 10000 files match');
    expect(await list('many/1*')).toHaveLength(1_112);
  });
});

describe('READ_FILE', () => {
  test('the text without the newlines at its end', async () => {
    put('a', 'one\ntwo\n\n');
    expect((await done('READ_FILE a AS v')).captured).toEqual({ key: 'v', value: 'one\ntwo' });
  });

  test('neither too much nor what is no text', async () => {
    put('big', 'x'.repeat(1024 * 1024 + 1));
    writeFileSync(at('bin'), Buffer.from([0x41, 0]));
    writeFileSync(at('latin'), Buffer.from([0xe9]));
    expect(await refusal('READ_FILE big AS v')).toContain('W/big is larger than 1 MB');
    expect(await refusal('READ_FILE bin AS v')).toContain('W/bin is no text');
    expect(await refusal('READ_FILE latin AS v')).toContain('W/latin is no text');
    expect(await refusal('READ_FILE none AS v')).toContain('there is no file W/none');
  });
});

test('what is expected is looked at, whatever the kind', async () => {
  expect(await act('WRITE_FILE a "x"', { expects: 'file exists b' })).toMatchObject({
    why: 'expectation',
    message: 'expected file b to exist, and it does not',
  });
  expect(await act('CREATE_DIR d', { expects: 'dir exists d' })).toMatchObject({
    expectation: { held: true },
  });
  expect(await act('DELETE_PATH d', { expects: 'exit 0' })).toMatchObject({ expectation: { held: true } });
  expect(await act('READ_FILE a AS v', { expects: 'stdout contains x' })).toMatchObject({
    expectation: { held: true },
  });
});

test('a step that was cancelled before it began changes nothing', async () => {
  const result = await act('WRITE_FILE a "x"', { signal: AbortSignal.abort('cancelled') });
  expect(result).toMatchObject({ why: 'aborted' });
  expect(readdirSync(workspace)).toEqual([]);
});
