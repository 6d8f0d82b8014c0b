import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** One folder of `examples/`: how it is run, what a person approves on the way, and what is there afterwards. */
export interface Example {
  folder: string;
  file: string;
  /** Words of the command line; `{port}` becomes a free port. */
  args?: string[];
  /** The dangerous steps in their order, by what their action says. */
  approves?: RegExp[];
  /** Codes of the warnings that may be said and do not matter. */
  warns?: string[];
  check(at: Folder): void;
}

/** What a check may look at. */
export interface Folder {
  text(name: string): string;
  has(name: string): boolean;
  mode(name: string): number;
  link(name: string): string;
}

export const folderAt = (root: string): Folder => ({
  text: (name) => readFileSync(join(root, name), 'utf8'),
  has: (name) => existsSync(join(root, name)),
  mode: (name) => statSync(join(root, name)).mode & 0o777,
  link: (name) => readlinkSync(join(root, name)),
});

export const examples: readonly Example[] = [
  {
    folder: 'node-library',
    file: 'README.md',
    check({ text, has }) {
      expect(text('dist/counted.js')).toContain('function plural');
      expect(has('node_modules/plural/index.js')).toBe(true);
      expect(text('package.json')).toContain('"plural": "file:vendor/plural-1.2.0.tgz"');
    },
  },
  {
    folder: 'python-venv',
    file: 'README.md',
    // `python` and `pip` come with the environment that the first step makes.
    warns: ['command-not-found'],
    check({ text, has }) {
      expect(text('top.txt')).toBe('3 the\n2 is\n1 and\n');
      expect(has('.venv/bin/python')).toBe(true);
    },
  },
  {
    folder: 'git-release',
    file: 'RELEASING.md',
    args: ['--set', 'version=1.4.0', '--set', "author=Ada O'Neill"],
    check({ text, has }) {
      expect(text('CHANGELOG.md')).toBe('# Changelog\n\n## 1.4.0\n\n- feat: the first commit\n');
      expect(text('VERSION')).toBe('1.4.0\n');
      expect(text('.git/config')).toContain("name = Ada O'Neill");
      expect(has('.git/refs/tags/v1.4.0')).toBe(true);
    },
  },
  {
    folder: 'make-project',
    file: 'README.md',
    warns: ['command-not-found'],
    check({ text, has, mode }) {
      expect(text('year.txt')).toBe('MMXXIV\n');
      expect(mode('dist/bin/roman') & 0o100).toBe(0o100);
      expect(has('roman')).toBe(false);
    },
  },
  {
    folder: 'cron-jobs',
    file: 'plan.yaml',
    args: ['--set', 'day=2024-06-30'],
    approves: [/^rmdir lock$/],
    check({ text, has }) {
      expect(text('out/2024-06-30/average.txt')).toBe('average 4.50 of 4\n');
      expect(text('history.txt')).toBe('2024-06-30 ok\n');
      expect(text('crontab.txt')).toContain('0 3 * * * planwright run');
      expect(has('lock')).toBe(false);
    },
  },
  {
    folder: 'log-rotation',
    file: 'RUNBOOK.md',
    approves: [/^rm -f logs\/app\.log\.2\.gz$/, /truncate/, /-delete$/],
    check({ text, has }) {
      expect(text('logs/app.log')).toBe('');
      expect(text('logs/app.log.1')).toContain('2024-05-01 started');
      expect(has('logs/app.log.2.gz')).toBe(true);
      expect(has('logs/upload.tmp')).toBe(false);
      expect(text('logs/access.log')).toBe('GET /\nGET /about\n');
    },
  },
  {
    folder: 'backup-restore',
    file: 'RUNBOOK.md',
    args: ['--set', 'label=before the move'],
    approves: [/^rm -rf data$/, /^chmod -R go-rwx backups$/],
    check({ text, mode }) {
      expect(text('verified.txt').trim().split('\n')).toHaveLength(3);
      expect(text('data/letters/the second.txt')).toContain('mine too');
      expect(mode('data/letters/first.txt')).toBe(0o600);
      expect(mode('backups/before the move.tar.gz') & 0o077).toBe(0);
    },
  },
  {
    folder: 'sqlite-dump',
    file: 'README.md',
    check({ text, has }) {
      expect(text('report.txt')).toBe('ada|1560\ngrace|990\n');
      expect(text('again.sql')).toBe(text('dump.sql'));
      expect(has('orders.db')).toBe(true);
      expect(has('restored.db')).toBe(false);
    },
  },
  {
    folder: 'tls-certificate',
    file: 'plan.json',
    args: ['--set', 'host=shop.example.org'],
    approves: [/^openssl req/, /openssl pkey/],
    check({ text, mode }) {
      expect(text('tls/from-key.pem')).toBe(text('tls/from-certificate.pem'));
      expect(mode('tls/server.key')).toBe(0o600);
      expect(text('fingerprint.txt')).toMatch(/Fingerprint=/);
    },
  },
  {
    folder: 'csv-report',
    file: 'plan.yaml',
    check: ({ text }) => expect(text('report.csv')).toBe('south,43\nnorth,15\neast,7\n'),
  },
  {
    folder: 'disk-triage',
    file: 'RUNBOOK.md',
    approves: [/^rm srv\/cache\/big\.bin$/, /^xargs rm/],
    check({ text, has }) {
      expect(text('stale.txt')).toBe('srv/logs/old.log\nsrv/logs/older.log\n');
      expect(has('srv/logs/older.log')).toBe(false);
      expect(has('srv/logs/app.log')).toBe(true);
      expect(text('incident.txt')).toMatch(/^resolved \d{4}-\d\d-\d\d\n$/);
    },
  },
  {
    folder: 'config-templates',
    file: 'plan.yaml',
    args: ['--set', 'domain=nodes.example'],
    approves: [/^DELETE_PATH conf\/base\.ini\.used$/],
    check({ text, has }) {
      expect(text('conf/nodes/node-02.ini')).toBe(
        '[server]\ndomain = nodes.example\nport = 8080\n\n[cache]\nsize = 64\n# node 2\n',
      );
      expect(text('conf/MANIFEST')).toBe('release spring\ndomain nodes.example\n');
      expect(has('conf/base.ini.used')).toBe(false);
      expect(text('template.ini')).toContain('CHANGE_ME');
    },
  },
  {
    folder: 'symlink-deploy',
    file: 'DEPLOY.md',
    approves: [/^chmod -R u=rwX,go=rX releases\/v2$/],
    check({ text, link, mode }) {
      expect(link('current')).toBe('releases/v2');
      expect(text('announcement.txt')).toBe('v2 is live\n');
      expect(mode('releases/v2/selfcheck.sh')).toBe(0o644);
    },
  },
  {
    folder: 'local-services',
    file: 'README.md',
    args: ['--set', 'port={port}'],
    check: ({ text }) => expect(text('done.txt')).toBe('cat.png\n'),
  },
  {
    folder: 'static-site',
    file: 'plan.yaml',
    args: ['--set', 'port={port}'],
    check({ text }) {
      expect(text('links.txt')).toBe('about.html\nindex.html\n');
      expect(text('public/about.html')).toContain('<h1>About</h1>');
    },
  },
  {
    folder: 'api-smoke',
    file: 'plan.json',
    args: ['--set', 'port={port}', '--set', 'token=k3epThisToYourself'],
    check: ({ text }) => expect(text('orders.json')).toBe('{"orders": []}\n'),
  },
];
