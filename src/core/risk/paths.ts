import { UNKNOWN } from '../shell/index.ts';
import type { JudgeContext, Where } from './types.ts';

/**
 * Paths as text. Nothing here looks at a disk: symlinks and globs are resolved before running, elsewhere.
 */

/** No part is empty or begins with a dot: nothing to take out. Most paths are so, and each is asked for many times. */
const isNormal = /^\/?[^/.][^/]*(?:\/[^/.][^/]*)*$/;

/** `/a/b/../c/` → `/a/c`; `~` and `~user` stay in front. */
export function normalise(path: string): string {
  if (path === '' || isNormal.test(path)) return path;
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (part === '..' && rooted) continue;
    else kept.push(part);
  }
  return (rooted ? '/' : '') + kept.join('/') || (rooted ? '/' : '.');
}

/** The path with home as `~` and, where the directory is known, made absolute. */
export function resolvePath(path: string, where: Where): string {
  const { home } = where.context;
  let full = path;
  if (!/^[/~]/.test(path) && !path.startsWith(UNKNOWN) && where.cwd !== undefined)
    full = `${where.cwd}/${path}`;
  full = normalise(full);
  if (home && home !== '/' && (full === home || full.startsWith(`${home}/`)))
    full = `~${full.slice(home.length)}`;
  return full.replace(/^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|\/var\/root)(?=\/|$)/, '~');
}

/**
 * No file of anybody's: where the process prints, and what swallows or makes bytes. Another descriptor is the file that it was
 * opened for reading, and opening that again for writing empties it.
 */
const stream = /^\/(?:dev\/(?:null|zero|full|u?random|tty|std(?:out|err)|fd\/[12])|proc\/self\/fd\/[12])$/;

/** Where everyday work puts what it needs for a while. What is made there is nobody's loss; what was there may be. */
const temporary = /^(?:\/private)?(?:(?:\/var)?\/tmp|\/var\/folders)(?=\/|$)|^\/dev\/shm(?=\/)/;

/** In the temporary folder, but not beside a workspace that lies there itself: what holds that is somebody's. */
export function isTemporary(path: string, { context }: Where): boolean {
  const given = context.temporary;
  const root = given !== undefined && inside(path, given) ? given : temporary.exec(path)?.[0];
  if (root === undefined) return false;
  const { workspace = root } = context;
  if (workspace === root || !inside(workspace, root)) return true;
  return !inside(path, `${root}/${workspace.slice(root.length + 1).split('/')[0]}`);
}

/**
 * Outside the workspace, so no checkpoint holds what was there: by its text alone. Where no workspace is known, it is
 * the folder that the text begins in. The temporary folder does not count.
 */
export function isOutside(path: string, where: Where): boolean {
  const { home, workspace } = where.context;
  const own = (text: string): string => (home && /^~(?:\/|$)/.test(text) ? home + text.slice(1) : text);
  const relative = !/^[/~]/.test(path);
  if (relative && path.startsWith(UNKNOWN)) return /^\.\.(?:\/|$)/.test(normalise(path));
  const cwd = where.cwd === undefined ? undefined : own(where.cwd);
  const full = normalise(relative && cwd !== undefined ? `${cwd}/${path}` : own(path));
  if (stream.test(full)) return false;
  for (const link of where.links ?? []) if (inside(full, link)) return true;
  const root = workspace ?? where.context.cwd;
  if (root !== undefined && inside(full, normalise(own(root)))) return false;
  if (!/^[/~]/.test(full)) return /^\.\.(?:\/|$)/.test(full);
  return !isTemporary(full, where);
}

/** Folders whose content a tool makes again from the rest of the project, whoever lost it. */
const madeAgain = new Set(
  'node_modules target dist build out __pycache__ .venv venv .tox .nox .pytest_cache .mypy_cache .ruff_cache .gradle .next .nuxt .svelte-kit .turbo .parcel-cache .cache .terraform .eggs coverage htmlcov bower_components .dart_tool DerivedData'.split(
    ' ',
  ),
);

/** Lies in such a folder; `path` is relative to the workspace. */
export const isMadeAgain = (path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((part) => madeAgain.has(part) || part.endsWith('.egg-info'));

const systemRoots = new Set(
  'bin boot dev etc home lib lib32 lib64 libx32 proc root run sbin sys usr var Users System Library Volumes Windows'
    .split(' ')
    .map((name) => `/${name}`),
);

const inside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/**
 * True for what no plan may delete or re-permission as a whole: `/`, home, the folders of the system that lie
 * in `/`, everything in one of them at once (`/*`), and the folders above the workspace.
 */
export function isVital(path: string, where: Where): boolean {
  const stripped = path
    .replace(/^(?:\*|\.\*)$/, '.')
    .replace(/\/(?:\*|\.\*|\.\[!\.\]\*|\.\?\?\*|\{\*,\.\*\}|\.)$/, '/');
  const full = resolvePath(stripped === '' ? '/' : stripped, where);
  if (full === '/' || full === '~' || /^~[a-z_][\w-]*$/.test(full) || systemRoots.has(full)) return true;
  if (/^\/(?:usr|var)\/(?:bin|lib|lib64|sbin|lib32)$/.test(full) || /^[A-Za-z]:[\\/]?\*?$/.test(path))
    return true;
  return isAboveWorkspace(path, full, where.context);
}

function isAboveWorkspace(path: string, full: string, context: JudgeContext): boolean {
  const { workspace, home } = context;
  if (home && full.startsWith('/') && home !== full && inside(home, full)) return true;
  if (workspace && full.startsWith('/') && workspace !== full && inside(workspace, full)) return true;
  if (workspace && home && full.startsWith('~')) {
    const real = home + full.slice(1);
    if (real !== workspace && inside(workspace, real)) return true;
  }
  return (
    /^(?:\.\/)*\.\.(?:\/\.\.)*\/?(?:\*)?$/.test(path) &&
    /^(?:\.\.(?:\/|$))+/.test(normalise(path.replace(/\/?\*$/, '')))
  );
}

const stores = [
  '~/.local/share/planwright',
  '~/.local/state/planwright',
  '~/.planwright',
  '~/Library/Application Support/planwright',
];

/** In Planwright's own store: the journal, approvals and logs of runs. */
export function isStore(path: string, where: Where): boolean {
  const full = resolvePath(path, where);
  const own = where.context.storeDir;
  if (own && inside(full, resolvePath(own, where))) return true;
  if (/^\$\{?PLANWRIGHT_HOME\b/.test(path)) return true;
  return stores.some((store) => inside(full, store) || (full.startsWith('~/.local/') && inside(store, full)));
}

/**
 * In settings that say whether an agent asks the guard at all, or a hidden folder above them, or Planwright's, as a whole. However it is
 * spelled: there are disks that make no difference between small letters and large ones.
 */
export const isGuarded = (path: string, where: Where): boolean => {
  const { guarded = [], workspace } = where.context;
  if (guarded.length === 0) return false;
  const spelled = (one: string): string => resolvePath(one, where).toLowerCase();
  const full = spelled(path);
  const isWhole = /(?:^|\/)(?:\.[^/]+|planwright)$/.test(full);
  const holds = isWhole && (workspace === undefined || full !== spelled(workspace));
  return guarded.some((one) => {
    const own = spelled(one);
    return inside(full, own) || (holds && inside(own, full));
  });
};

const ownConfig = /(?:^|\/)\.(?:config\/)?planwright(?:\/|$)|^~\/Library\/Preferences\/planwright(?:\/|$)/;
const ownNames = /^\/(?:config\.yaml|rules\.yaml|trusted\.json|keys\.json)/;

/** What Planwright itself obeys: rules, settings, trusted folders, of the user and of any folder. */
export function isOwnConfig(path: string, where: Where): boolean {
  const full = resolvePath(path, where);
  if (ownConfig.test(full)) return true;
  const { configDir } = where.context;
  if (!configDir) return false;
  const own = resolvePath(configDir, where);
  return full === own || (inside(full, own) && ownNames.test(full.slice(own.length)));
}

/** A disk or a part of one, or the memory of the machine. */
export function isDisk(path: string): boolean {
  return /^\/dev\/(?:r?disk\d|[shv]d[a-z?*[]|xvd|nvme|mmcblk|dax|pmem|nbd|loop|md\d|dm-|mapper\/|disk\/|sr\d|ada\d|da\d|vd|mem$|kmem$|port$|\w*\/lv|vg)/.test(
    normalise(path),
  );
}

/** Could be a path: has a slash, starts with `~` or `.`, or ends in a file suffix. */
export const looksLikePath = (value: string): boolean =>
  value.length < 4096 && !/\s|:\/\//.test(value) && (/[/~]/.test(value) || /^\.|\.\w{1,8}$/.test(value));
