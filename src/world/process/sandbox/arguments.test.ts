import { expect, test } from 'vitest';
import { emptyFiles, FIRST_EMPTY_FD, sandboxArguments } from './arguments.ts';
import type { SandboxGrants, SandboxHost } from './policy.ts';
import type { Survey } from './survey.ts';

const survey: Survey = {
  workspace: '/home/u/work',
  store: '/home/u/.local/share/planwright',
  secrets: [
    { path: '/home/u/.ssh', kind: 'folder' },
    { path: '/home/u/.netrc', kind: 'file' },
    { path: '/home/u/.npmrc', kind: 'file' },
  ],
  writable: [],
  caches: ['/home/u/.npm', '/home/u/.cache/pip'],
  overlaid: ['/home/u/.npm'],
  private: ['/tmp', '/var/tmp', '/run'],
  runtime: [],
  guards: { pinned: ['/home/u/work/.git'], readOnly: ['/home/u/work/.git/hooks'], missing: [], unwanted: [] },
};
const user: SandboxHost = { uid: 1000, gid: 1000, userNamespace: true, overlays: true };
const root: SandboxHost = { uid: 0, gid: 0, userNamespace: false, overlays: true };

const options = (change: Partial<Survey> = {}, grants: SandboxGrants = {}, host = user): string => {
  const policy = {
    workspace: survey.workspace,
    grants,
    home: '/home/u',
    caches: [],
    storeDir: survey.store!,
  };
  return sandboxArguments(policy, { ...survey, ...change }, host).join(' ');
};
/** In this order, and each there. */
const inOrder = (text: string, parts: string[]): void => {
  const places = parts.map((part) => text.indexOf(part));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
};

test('what lies deeper is mounted later, so that it decides', () => {
  inOrder(options(), [
    '--ro-bind / /',
    '--tmpfs /tmp',
    '--tmpfs /home/u/.ssh',
    '--bind /home/u/work /home/u/work',
    '--bind /home/u/work/.git /home/u/work/.git',
    '--ro-bind /home/u/work/.git/hooks',
    '--remount-ro /home/u/.ssh',
  ]);
});

test('a workspace in the store, or in /tmp, is there all the same', () => {
  const inStore = '/home/u/.local/share/planwright/worktrees/a';
  inOrder(options({ workspace: inStore, guards: { ...survey.guards, pinned: [], readOnly: [] } }), [
    '--tmpfs /home/u/.local/share/planwright',
    `--bind ${inStore}`,
  ]);
  inOrder(options({ workspace: '/tmp/work' }), ['--tmpfs /tmp', '--bind /tmp/work']);
});

test('a workspace that is the whole home does not show its secrets', () => {
  inOrder(options({ workspace: '/home/u' }), ['--bind /home/u /home/u', '--tmpfs /home/u/.ssh']);
});

test('nothing in the store can be granted', () => {
  const inside = `${survey.store}/journal.db`;
  expect(options({ writable: [inside] }, { write: [inside] })).not.toContain(inside);
});

test('nothing of the kernel’s can be granted', () => {
  expect(options({ writable: ['/proc', '/dev/sda', '/sys'] })).not.toMatch(/--bind \/(?:proc|dev|sys)/);
});

test('an overlay is bound as it is, a cache without one is empty', () => {
  expect(options()).toContain('--bind /home/u/.npm /home/u/.npm');
  expect(options()).toContain('--tmpfs /home/u/.cache/pip');
});

test('each hidden file has a descriptor of its own', () => {
  expect(emptyFiles(survey)).toEqual(['/home/u/.netrc', '/home/u/.npmrc']);
  expect(options()).toContain(`--ro-bind-data ${FIRST_EMPTY_FD} /home/u/.netrc`);
  expect(options()).toContain(`--ro-bind-data ${FIRST_EMPTY_FD + 1} /home/u/.npmrc`);
});

test('the network and capabilities are there by grant alone', () => {
  expect(options()).toContain('--unshare-net');
  expect(options({}, { network: true })).not.toContain('--unshare-net');
  expect(options()).toContain('--uid 1000 --gid 1000 --cap-drop ALL');
  expect(options({}, {}, root)).toMatch(/--cap-drop ALL(?: --cap-add CAP_\w+)+/);
  expect(options({}, {}, root)).not.toMatch(/CAP_SYS_|CAP_DAC_READ_SEARCH|CAP_NET_|CAP_MKNOD/);
  expect(options({}, { privilege: true }, root)).not.toContain('--cap-drop');
});
