import { basename, dirname, isAbsolute, resolve } from 'node:path';
import type { QuietRefusals } from '../report.ts';
import { hostHasNetwork, hostHears, hostRefusesWrite, isRoot, resolveTarget } from './host-facts.ts';
import { isWithin, type SandboxGrants, type SandboxPolicy } from './policy.ts';
import { isRefusedWrite, networkTexts, pathIn, portIn, privilegeTexts } from './refusals.ts';
import { realPath } from './survey.ts';

/** The sandbox, and not the command, is to blame for a failure. */
export interface Denial {
  denied: 'network' | 'write' | 'privilege';
  /** A sentence. */
  detail: string;
  /** What would have let it go on, and nothing more. Null where that cannot be told, or is never granted. */
  grant: SandboxGrants | null;
  /** certain: it would have gone further outside · likely: it may have failed there too. */
  sure: 'certain' | 'likely';
}

export interface SandboxedFailure {
  exitCode: number | null;
  /** The end of what it wrote to stderr. */
  stderrTail: string;
  policy: SandboxPolicy;
  /** Where it ran, for the paths that it names; the workspace, where that is not known. */
  cwd?: string;
  /** What was refused in silence, and the text that ran: for programs that say nothing (`curl -sf`, `wget -q`). */
  quietly?: QuietRefusals | null;
  script?: string;
}

/**
 * Whether a command failed because of its sandbox. It looks at what the command said and at the machine: what would
 * have failed outside too, as far as that can be told, is no denial. Of several refusals the last one counts, because
 * a command usually ends at it; refused writes are taken together. Never throws.
 */
export function classifyDenial({
  exitCode,
  stderrTail,
  policy,
  cwd = policy.workspace,
  quietly = null,
  script = '',
}: SandboxedFailure): Denial | null {
  const lost = quietly === null ? null : lostWrite(quietly, policy);
  if (exitCode === null || exitCode === 0) return exitCode === 0 ? lost : null;
  const lines = stderrTail.split('\n');
  const denials = lines.map((line) => judgeLine(line, policy, cwd)).filter((denial) => denial !== null);
  const last = denials.at(-1);
  if (last === undefined) return lost ?? (quietly === null ? null : quietNetwork(quietly, policy, script));
  if (last.denied !== 'write') return last;
  return together(denials.filter(({ denied }) => denied === 'write'));
}

/** Names that programs give to what is theirs for the moment. */
const passing =
  /^(?:\.|tmp|temp|npm-|pip-|node-|v8-|hsperfdata_|yarn-|cc[A-Za-z0-9]{6}|go-build|rustc|systemd-)|\.(?:tmp|lock|pid|sock)$/i;

/** What it left in a folder that is gone with the sandbox was to be found there by others. */
function lostWrite({ left }: QuietRefusals, policy: SandboxPolicy): Denial | null {
  const { workspace, home, storeDir, caches, grants } = policy;
  const shown = [workspace, realPath(workspace) ?? workspace, home, storeDir, ...caches];
  const given = [...shown, ...(grants.write ?? [])];
  const lost = left.filter(
    (path) =>
      !passing.test(basename(path)) && !given.some((own) => isWithin(own, path) || isWithin(path, own)),
  );
  if (lost.length === 0) return null;
  const folders = [...new Set(lost.map((path) => dirname(path)))];
  return ofWrite(`It wrote to ${lost[0]}, which would be gone with the sandbox.`, { write: folders });
}

/** A connection that found no way out, or nobody where outside somebody listens. */
function quietNetwork(
  { unreachable, unheard }: QuietRefusals,
  { grants }: SandboxPolicy,
  script: string,
): Denial | null {
  if (grants.network) return null;
  const denial = (detail: string): Denial => ({
    denied: 'network',
    detail,
    grant: { network: true },
    sure: 'likely',
  });
  if (unreachable > 0 && hostHasNetwork()) return denial('It needs the network.');
  const ports = [...script.matchAll(/(?<![\d.])\d{2,5}(?![\d.])/g)].map(([port]) => Number(port));
  const heard = unheard > 0 ? ports.find((port) => port > 1 && port < 65_536 && hostHears(port)) : undefined;
  return heard === undefined ? null : denial(`It needs port ${heard} of this machine.`);
}

const judgeLine = (line: string, policy: SandboxPolicy, cwd: string): Denial | null =>
  refusedWrite(line, policy, cwd) ?? refusedNetwork(line, policy) ?? refusedPrivilege(line, policy);

const ofWrite = (
  detail: string,
  grant: Denial['grant'] = null,
  sure: Denial['sure'] = 'certain',
): Denial => ({
  denied: 'write',
  detail,
  grant,
  sure,
});

function refusedWrite(line: string, policy: SandboxPolicy, cwd: string): Denial | null {
  if (!isRefusedWrite(line)) return null;
  const named = pathIn(line);
  if (named === null) return ofWrite('It wrote outside the workspace; where is not said.', null, 'likely');
  const { path, folder } = resolveTarget(isAbsolute(named) ? named : resolve(cwd, named));
  if (hostRefusesWrite(path, folder)) return null;
  if (['/proc', '/sys', '/dev'].some((kernel) => isWithin(folder, kernel)))
    return ofWrite(`It wrote to ${path}, which is the kernel’s.`);
  const workspace = realPath(policy.workspace) ?? policy.workspace;
  const store = realPath(policy.storeDir) ?? policy.storeDir;
  if (isWithin(folder, store)) return ofWrite(`It wrote to ${path}, in Planwright’s own store.`);
  const guarded = isWithin(folder, workspace) ? guardOf(path, workspace) : folder;
  // In the workspace everything else can be written: the disk itself refused.
  if (guarded === null) return null;
  if ((policy.grants.write ?? []).some((grant) => isWithin(guarded, grant))) return null;
  return ofWrite(`It may not write to ${path}.`, { write: [guarded] });
}

/** The `.git` or `.planwright` that a path in the workspace lies in. */
function guardOf(path: string, workspace: string): string | null {
  const parts = path.slice(workspace.length + 1).split('/');
  const at = parts.findIndex((part) => part === '.git' || part === '.planwright');
  return at === -1 ? null : [workspace, ...parts.slice(0, at + 1)].join('/');
}

function refusedNetwork(line: string, { grants }: SandboxPolicy): Denial | null {
  if (grants.network) return null;
  const base = { denied: 'network', grant: { network: true }, sure: 'certain' } as const;
  if (networkTexts.unreachable.test(line) && hostHasNetwork())
    return { ...base, detail: 'It needs the network.' };
  if (networkTexts.unresolved.test(line) && hostHasNetwork())
    return { ...base, detail: 'It needs the network to find a host by its name.', sure: 'likely' };
  const port = networkTexts.refused.test(line) ? portIn(line) : null;
  if (port !== null && hostHears(port)) return { ...base, detail: `It needs port ${port} of this machine.` };
  return null;
}

function refusedPrivilege(line: string, { grants }: SandboxPolicy): Denial | null {
  if (grants.privilege) return null;
  const outside = isRoot() ? '' : ' With the grant it runs outside the sandbox.';
  const denial = (what: string, sure: Denial['sure']): Denial => ({
    denied: 'privilege',
    detail: `${what}${outside}`,
    grant: { privilege: true },
    sure,
  });
  if (privilegeTexts.gain.test(line))
    return denial('It needs to become root, which no sandbox allows.', 'certain');
  const socket = privilegeTexts.socket.exec(line)?.[1];
  if (socket !== undefined && realPath(socket) !== null)
    return denial(`It needs ${socket}, whose other end acts as root.`, 'certain');
  // A user would have been refused outside too.
  if (isRoot() && privilegeTexts.notPermitted.test(line))
    return denial('It did what only a root with all its rights may do.', 'likely');
  return null;
}

function together(denials: Denial[]): Denial {
  const paths = [...new Set(denials.flatMap(({ grant }) => grant?.write ?? []))];
  const first = denials[0]!;
  if (paths.length === 0) return first;
  const widest = paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
  const said = [...new Set(denials.filter(({ grant }) => grant).map(({ detail }) => detail))];
  return ofWrite(said.join(' '), { write: widest });
}
