import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { folderAt } from '../examples/catalogue.ts';
import type { Bench } from '../support/cli.ts';
import { startTls } from './tls.ts';

/** How each template is tried: a goal that should find it, what is there before, and what must be there after. */
export interface Trial {
  name: string;
  /** Ways in which people say it. */
  goals: string[];
  set?: Record<string, string>;
  /** Makes the workspace; what it resolves with is set besides, and ended afterwards. */
  prepare?(bench: Bench): unknown;
  approves?: number;
  check(bench: Bench, stderr: string): void | Promise<void>;
}

export interface Prepared {
  set?: Record<string, string>;
  end?(): Promise<void>;
}

const at = (bench: Bench) => folderAt(bench.workspace);
const sh = (bench: Bench, script: string) =>
  execFileSync('bash', ['-ec', script], { cwd: bench.workspace, stdio: 'pipe' });

const identity =
  'git init -q . && git config user.email a@example.org && git config user.name Ada && git config commit.gpgsign false';

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function servePage(text: string): Promise<{ port: number; server: Server }> {
  const server = createServer((_request, response) => response.end(text)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

export const trials: readonly Trial[] = [
  {
    name: 'serve-folder',
    goals: ['serve this folder on port 8080 and check it', 'share the files here over http'],
    set: { folder: 'site' },
    prepare: async (bench) => {
      sh(bench, 'mkdir site && echo "<h1>Hello</h1>" > site/index.html');
      return { set: { port: await freePort() } };
    },
    async check(bench) {
      const { stdout } = await bench.run(['show', '--events']);
      const events = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const { group } = events.find(({ type, stepId }) => type === 'process-spawned' && stepId === 'serve');
      // It was to stay, and it does; the test ends it.
      process.kill(-group.pgid, 'SIGTERM');
    },
  },
  {
    name: 'new-node-project',
    goals: ['create a new node project', 'start a javascript library'],
    set: { name: 'hello' },
    check(bench) {
      expect(JSON.parse(at(bench).text('hello/package.json'))).toMatchObject({
        name: 'hello',
        type: 'module',
      });
      expect(at(bench).has('hello/.git/HEAD')).toBe(true);
    },
  },
  {
    name: 'new-python-project',
    goals: ['create a new python project', 'scaffold a python package'],
    set: { name: 'hello' },
    check(bench) {
      expect(at(bench).text('hello/pyproject.toml')).toContain('name = "hello"');
      expect(at(bench).text('hello/hello/__init__.py')).toContain('return f"Hello, {who}!"');
    },
  },
  {
    name: 'release-tag',
    goals: ['tag a release', 'tag release v2.0.0 in git'],
    set: { tag: 'v1.2.0', message: "Ada's first" },
    prepare: (bench) => void sh(bench, `${identity} && echo a > a && git add a && git commit -qm one`),
    check: (bench) =>
      expect(sh(bench, 'git tag -l --format="%(contents:subject)"').toString()).toBe("Ada's first\n"),
  },
  {
    name: 'find-large-files',
    goals: ['find large files', 'which are the biggest files in this folder?'],
    set: { size: '100k' },
    prepare: (bench) =>
      void sh(bench, 'mkdir d && head -c 300000 /dev/zero > "d/a big one" && echo small > d/small'),
    check: (bench) => expect(at(bench).text('large-files.txt')).toBe('300000\t./d/a big one\n'),
  },
  {
    name: 'rotate-logs',
    goals: ['rotate the logs', 'rotate log files in logs and compress them'],
    set: { keep: '2' },
    prepare: (bench) =>
      void sh(
        bench,
        'mkdir logs && echo line > logs/app.log && for n in 1 2 3; do echo $n | gzip > logs/app.log.2020010$n-000000.gz; done',
      ),
    approves: 1,
    check(bench) {
      expect(at(bench).text('logs/app.log')).toBe('');
      expect(sh(bench, 'ls logs | wc -l').toString().trim()).toBe('3');
      expect(sh(bench, 'zcat "$(ls logs/*.gz | sort -r | head -n 1)"').toString()).toBe('line\n');
    },
  },
  {
    name: 'back-up-folder',
    goals: ['back up a folder', 'make a backup of my documents directory'],
    set: { folder: 'docs here' },
    prepare: (bench) => void sh(bench, 'mkdir "docs here" && echo mine > "docs here/a"'),
    check(bench) {
      const archive = at(bench).text('backups/latest').trim();
      expect(archive).toMatch(/^backups\/docs here-\d{8}-\d{6}\.tar\.gz$/);
      expect(at(bench).mode(archive) & 0o077).toBe(0);
    },
  },
  {
    name: 'restore-folder',
    goals: ['restore a folder from an archive', 'restore my backup from a tar archive'],
    set: { archive: 'saved.tar.gz', into: 'again' },
    prepare: (bench) =>
      void sh(
        bench,
        'mkdir d && echo mine > d/a && tar czf saved.tar.gz -C d . && sha256sum saved.tar.gz > saved.tar.gz.sha256',
      ),
    check: (bench) => expect(at(bench).text('again/a')).toBe('mine\n'),
  },
  {
    name: 'python-venv',
    goals: ['make a python virtual environment', 'set up a venv here'],
    check: (bench) => expect(at(bench).has('.venv/bin/python')).toBe(true),
  },
  {
    name: 'check-tls-certificate',
    goals: ['check the TLS certificate of example.org', 'when does the ssl cert of our server expire?'],
    set: { host: '127.0.0.1' },
    prepare: async (bench) => {
      const tls = await startTls(bench);
      return { set: { port: String(tls.port) }, end: tls.end };
    },
    check: (bench) => expect(at(bench).text('certificate.pem')).toContain('BEGIN CERTIFICATE'),
  },
  {
    name: 'dump-sqlite',
    goals: ['dump the sqlite database', 'export my sqlite db as sql'],
    set: { database: 'shop.db' },
    prepare(bench) {
      const database = new DatabaseSync(bench.path('shop.db'));
      database.exec("CREATE TABLE orders (who TEXT); INSERT INTO orders VALUES ('ada');");
      database.close();
    },
    check(bench) {
      expect(at(bench).text('dump.sql')).toContain("INSERT INTO orders VALUES('ada');");
      expect(at(bench).has('dump.sql.gz')).toBe(true);
    },
  },
  {
    name: 'disk-full-triage',
    goals: [
      'what is eating my disk space',
      'the disk is full, what fills it?',
      'find out why there is no space left on the disk',
    ],
    check: (bench) => expect(bench.workspace).not.toBe(''),
  },
  {
    name: 'check-website',
    goals: ['check that the website answers', 'is the site up?'],
    set: { text: 'Welcome' },
    prepare: async () => {
      const { port, server } = await servePage('<h1>Welcome</h1>\n');
      return {
        set: { url: `http://127.0.0.1:${port}/` },
        end: () => new Promise<void>((resolve) => void server.close(() => resolve())),
      };
    },
    check: (bench) => expect(at(bench).text('page.html')).toContain('Welcome'),
  },
  {
    name: 'find-duplicates',
    goals: ['find duplicate files', 'which files are identical copies?'],
    prepare: (bench) =>
      void sh(bench, 'mkdir d && echo same > "d/a 1" && echo same > d/b && echo other > d/c'),
    check: (bench) => expect(at(bench).text('duplicates.txt').trim().split('\n')).toHaveLength(2),
  },
  {
    name: 'first-commit',
    goals: [
      'initialise a git repo and make a first commit',
      'create a git repository here and commit everything',
      'put this folder under version control with git',
      'make an initial commit',
      'git init',
    ],
    set: { message: "Ada's first", author: 'Ada Lovelace', email: 'ada@example.org' },
    prepare: (bench) =>
      void sh(
        bench,
        'mkdir -p src node_modules/x && echo a > "src/a b" && echo b > node_modules/x/b && echo SECRET=1 > .env',
      ),
    check(bench) {
      expect(sh(bench, 'git log --format="%an %ce %s"').toString()).toBe(
        "Ada Lovelace ada@example.org Ada's first\n",
      );
      expect(sh(bench, 'git ls-files').toString()).toBe('src/a b\n');
    },
  },
  {
    name: 'git-bundle',
    goals: ['save the git repository in one file', 'export the repo with all branches as a bundle'],
    prepare: (bench) =>
      void sh(bench, `${identity} && echo a > a && git add a && git commit -qm one && git branch other`),
    check: (bench) => expect(at(bench).has('repository.bundle')).toBe(true),
  },
  {
    name: 'checksum-folder',
    goals: ['write checksums of a folder', 'sha256 hash every file in this directory'],
    prepare: (bench) => void sh(bench, 'mkdir d && echo a > "d/a b"'),
    check: (bench) => expect(at(bench).text('SHA256SUMS')).toMatch(/^[0-9a-f]{64} {2}\.\/d\/a b$/m),
  },
  {
    name: 'system-report',
    goals: ['report on this machine', 'write a system report with memory and cpu load'],
    check: (bench) => expect(at(bench).text('system-report.txt')).toContain('MemTotal'),
  },
  {
    name: 'count-lines',
    goals: ['count lines of code', 'how many lines of source code are there?'],
    prepare: (bench) =>
      void sh(
        bench,
        'mkdir src && printf "a\\nb\\n" > "src/a b.ts" && echo c > src/c.ts && echo d > src/d.py',
      ),
    check: (bench) => expect(at(bench).text('line-counts.txt')).toBe('3\t2\tts\n1\t1\tpy\n'),
  },
];
