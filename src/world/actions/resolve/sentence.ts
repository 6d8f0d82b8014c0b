import type { RiskReason } from '../../../core/contract/index.ts';
import { count, sizeText } from '../../../core/contract/told/index.ts';
import type { Measured } from './measure.ts';
import type { Touched } from './touch.ts';

/** What would be touched, and how much of it, for a person. Empty where nothing would be changed. */
export function resolvedReasons(found: Touched, measured: Measured, workspace: string): RiskReason[] {
  const touched = found.touches.filter((touch) => touch.writes || touch.below);
  const unresolved = [...found.unresolved].filter((word) => word !== '').slice(0, 3);
  if (touched.length === 0) return [];
  const there = touched.filter((touch) => touch.kind !== 'missing');
  const show = (path: string): string => shortened(path, workspace);
  const places = there.map((touch) =>
    touch.kind === 'folder' ? `${show(touch.path)}/`.replace(/\/+$/, '/') : show(parentOf(touch.path)) + '/',
  );
  const rest = [
    ...(measured.unreadable > 0
      ? [`${count(measured.unreadable, 'entry', 'entries')} could not be read.`]
      : []),
    ...(unresolved.length > 0
      ? [`What ${unresolved.join(', ')} stands for is only known when it runs.`]
      : []),
    ...there
      .flatMap(({ path, leadsTo }) =>
        leadsTo === undefined
          ? []
          : [`${show(path)} is a link to ${show(leadsTo)}; the link itself is meant.`],
      )
      .slice(0, 3),
  ];
  const main =
    measured.files + measured.folders === 0
      ? `Nothing is there now of what it would touch: ${listOf(touched.map((touch) => show(touch.path)))}.`
      : `Would touch ${amount(found, measured)} in ${listOf(places)}.`;
  return [{ rule: 'resolved-paths', level: 'safe', sentence: [main, ...rest].join(' ') }];
}

function amount(found: Touched, { files, folders, bytes, counted, sized }: Measured): string {
  const loose = found.touches.some((touch) => touch.filter && !touch.filter.exact);
  const much = !counted ? 'at least ' : loose ? 'at most ' : '';
  const parts = [
    ...(files > 0 ? [count(files, 'file')] : []),
    ...(folders > 0 ? [count(folders, 'folder')] : []),
  ].join(' and ');
  if (files === 0) return `${much}${parts}`;
  return `${much}${parts}, ${sized ? '' : 'at least '}${sizeText(bytes)},`;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

function shortened(path: string, workspace: string): string {
  if (path === workspace) return '.';
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

function listOf(places: readonly string[]): string {
  const unique = [...new Set(places)];
  const shown = unique.slice(0, 3);
  if (unique.length > shown.length)
    return `${shown.join(', ')} and ${unique.length - shown.length} more places`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
