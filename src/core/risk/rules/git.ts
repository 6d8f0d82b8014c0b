import {
  type GivenSetting,
  gitSettings,
  gitVerb,
  joined,
  operands,
  option,
  optionValues,
  ownOption,
} from '../args.ts';
import { resolvePath } from '../paths.ts';
import type { Arg, CommandRule, SimpleCommand, Where } from '../types.ts';
import { gitConfiguration, gitRuns, isAddress, isStrange } from './git-settings.ts';

/** The call as its subcommand sees it. */
function sub(command: SimpleCommand, ...verbs: string[]): SimpleCommand | undefined {
  const { verb, rest } = gitVerb(command);
  return verbs.includes(verb) ? { ...command, args: rest } : undefined;
}

/** What sets this key, for this call, to a value that may be one of these. */
const given = (command: SimpleCommand, key: RegExp, values: RegExp): Arg | undefined =>
  gitSettings(command).find(
    (setting) => key.test(setting.key) && (setting.value === undefined || values.test(setting.value)),
  )?.arg;

const dry = (command: SimpleCommand): boolean =>
  ownOption(command, /^(?:--dry-run|-[dfiqxXrv]*n[dfiqxXrv]*)$/, /^-\w*e$/) !== undefined;

/** Operands before `--`, and those after it. */
function split(command: SimpleCommand): { before: Arg[]; after: readonly Arg[] | undefined } {
  const dashes = command.args.findIndex((arg) => arg.value === '--');
  const before = operands(
    { ...command, args: dashes === -1 ? command.args : command.args.slice(0, dashes) },
    '-b -B --orphan --conflict -s --source -U --unified --inter-hunk-context',
  );
  return { before, after: dashes === -1 ? undefined : command.args.slice(dashes + 1) };
}

/** Settings by which git reads, or talks to, something else than it says. */
const reroutes =
  /^(?:include(?:if\..*)?\.path|url\..*\.(?:push)?insteadof|core\.(?:gitproxy|worktree|attributesfile)|http\..*proxy|http\.(?:sslverify|proxy)|protocol\..*allow|safe\.directory)$/i;

/** What other systems of versions call it. */
const elsewhere: Readonly<Record<string, RegExp>> = {
  svn: /^(?:-\S+ )*(?:revert|cleanup .*--remove)/,
  hg: /^(?:revert|strip|purge|rollback|clean|(?:up\w*|co|checkout|merge|goto) (?:.* )?(?:-\w*C|--clean|--abort))/,
  fossil: /^(?:clean|revert|undo)/,
  bzr: /^(?:revert|clean-tree|uncommit)/,
  brz: /^(?:revert|clean-tree|uncommit)/,
  p4: /^(?:-\S+ )*(?:revert|clean|obliterate|shelve -d)/,
  darcs: /^(?:revert|obliterate|unrecord)/,
};

/** Settings that make a push another one than it looks. */
const redirects = /^remote\..*\.(?:url|pushurl)$/i;
const overwrites = ({ key, value }: GivenSetting): boolean =>
  (/^remote\..*\.mirror$/i.test(key) && !/^(?:false|0|no|off)$/i.test(value ?? '')) ||
  (/^remote\..*\.push$/i.test(key) && /^(?:\+|:.)/.test(value ?? '+'));

/** Somebody has just said, in this text or in an earlier step, where the remotes are. */
const isReaddressed = (where: Where): boolean => {
  const settings = resolvePath('.git/config', where);
  return [where.written, where.context.written].some((one) => one?.files.has(settings));
};

/** A push, and no trial of one. */
function pushed(command: SimpleCommand): SimpleCommand | undefined {
  const call = sub(command, 'push');
  return call && !ownOption(call, /^(?:-n|--dry-run)$/) ? call : undefined;
}

export const gitRules: readonly CommandRule[] = [
  {
    id: 'git-discard',
    level: 'dangerous',
    sentence: 'Throws away uncommitted changes, which git cannot bring back.',
    names: ['git', ...Object.keys(elsewhere)],
    match(command) {
      if (command.name !== 'git') return elsewhere[command.name]?.test(joined(command));
      const { verb } = gitVerb(command);
      const call = sub(command, verb);
      if (!call) return undefined;
      switch (verb) {
        case 'reset':
          return option(call, '', 'hard', 'merge') ?? option(call, '', 'keep');
        case 'clean':
          return dry(call)
            ? undefined
            : (option(call, 'f', 'force') ??
                given(command, /^clean\.requireforce$/i, /^(?:false|0|no|off)$/i));
        case 'restore': {
          const staged = option(call, 'S', 'staged');
          const worktree = option(call, 'W', 'worktree');
          const { before, after } = split(call);
          const all = [...before, ...(after ?? [])];
          if (staged && !worktree) return undefined;
          return all.length > 0 || call.open ? (all[0] ?? true) : undefined;
        }
        case 'checkout':
          return discards(call);
        case 'switch':
          // What follows `-c` in the same word is the name of a branch.
          return (
            option(call, '', 'discard-changes', 'force', 'force-create') ??
            call.args.find((arg) => /^-(?!-)[^c]*[fC]/.test(arg.value))
          );
        case 'stash':
          return call.args.find((arg) => /^(?:drop|clear)$/.test(arg.value));
        case 'worktree':
          return call.args[0]?.value === 'remove' ? (option(call, 'f', 'force') ?? true) : undefined;
        case 'rm':
          return option(call, '', 'cached') || dry(call) ? undefined : (operands(call)[0] ?? call.open);
        case 'checkout-index':
          return option(call, 'f', 'force');
        case 'read-tree':
          return option(call, 'u', 'reset');
        case 'submodule':
          return call.args.some((arg) => arg.value === 'deinit')
            ? option(call, 'f', 'force', 'all')
            : undefined;
        default:
          return undefined;
      }
    },
  },
  {
    id: 'git-history',
    level: 'dangerous',
    sentence: 'Deletes or rewrites history, branches, tags or what would recover them.',
    names: ['git', 'git-filter-repo', 'bfg'],
    match(command) {
      if (command.name !== 'git') return true;
      const { verb } = gitVerb(command);
      const call = sub(command, verb);
      if (!call) return undefined;
      if (verb === 'branch')
        return (
          option(call, 'DfMC', 'force') ??
          (option(call, 'd', 'delete') && option(call, 'fr', 'force', 'remotes'))
        );
      if (verb === 'tag') return option(call, 'df', 'delete', 'force');
      if (verb === 'reflog') return call.args.find((arg) => /^(?:expire|delete)$/.test(arg.value));
      if (verb === 'gc')
        return (
          call.args.find((arg) => /^--p(?:r|ru|run|rune)?=(?:now|all)/.test(arg.value)) ??
          given(command, /^gc\..*expire$/i, /^now/i)
        );
      if (verb === 'prune') return dry(call) ? undefined : true;
      if (verb === 'filter-branch' || verb === 'filter-repo')
        return (
          !call.args.every((arg) => arg.value === '--help' || arg.value === '--analyze') ||
          call.args.length === 0
        );
      if (verb === 'update-ref') return option(call, 'd', 'delete', 'stdin') ?? operands(call, '-m')[1];
      if (verb === 'symbolic-ref') return option(call, 'd', 'delete') ?? operands(call, '-m')[1];
      if (verb === 'fast-import') return option(call, '', 'force');
      if (verb === 'remote') return /^(?:rm|remove|prune)$/.test(call.args[0]?.value ?? '') && false;
      if (verb === 'replace' || verb === 'notes')
        return (
          option(call, 'df', 'delete', 'force') ??
          call.args.find((arg) => arg.value === 'remove' || arg.value === 'prune')
        );
      if (verb === 'rebase')
        return (
          option(call, '', 'root') ??
          given(command, /^sequence\.editor$/i, /^(?!true$|:$)/) ??
          call.env.find(
            ({ name, value }) => name === 'GIT_SEQUENCE_EDITOR' && !/^(?:true|:)$/.test(value.value),
          )?.value
        );
      return undefined;
    },
  },
  {
    ...gitConfiguration,
    names: ['git'],
    match(command) {
      const { verb, at } = gitVerb(command);
      const programs = command.args.slice(0, at).find(({ value }) => value.startsWith('--exec-path='));
      if (programs) return programs;
      const rerouting = gitSettings(command).find(
        ({ key, stays }) => reroutes.test(key) && (stays || /^(?:include|url\.)/i.test(key)),
      );
      if (rerouting) return rerouting.arg;
      if (verb === 'apply') return option(command, '', 'unsafe-paths');
      if (verb === 'daemon' || verb === 'instaweb' || verb === 'http-backend') return true;
      return undefined;
    },
  },
  {
    id: 'git-push-force',
    level: 'dangerous',
    sentence: 'Overwrites or deletes branches or tags on the server.',
    needs: ['network'],
    names: ['git'],
    match(command) {
      if (!/^(?:push|config)$/.test(gitVerb(command).verb)) return undefined;
      const settings = gitSettings(command).filter(overwrites);
      const later = settings.find((setting) => setting.stays);
      if (later) return later.arg;
      const call = pushed(command);
      if (!call) return undefined;
      return (
        settings[0]?.arg ??
        call.args.find((arg) =>
          /^(?:-[a-zA-Z]*[fd][a-zA-Z]*|--force(?:=.*)?|--forc?|--delete|--mirror|--prune)$/.test(arg.value),
        ) ??
        operands(call)
          .slice(1)
          .find((arg) => /^(?:\+|:.)/.test(arg.value))
      );
    },
  },
  {
    id: 'git-push-elsewhere',
    level: 'dangerous',
    sentence: 'Sends the repository to an address that is no remote of it, or that was made one just now.',
    needs: ['network'],
    names: ['git'],
    match(command, where) {
      const call = pushed(command);
      if (!call) return undefined;
      const named = operands(call, '-o --push-option --receive-pack --exec --repo').slice(0, 1);
      return (
        [...named, ...optionValues(call, '--repo')].find((arg) => isAddress(arg, where)) ??
        gitSettings(command).find(({ key }) => redirects.test(key))?.arg ??
        isReaddressed(where)
      );
    },
  },
  {
    ...gitRuns,
    names: ['git'],
    match(command) {
      const { verb, rest } = gitVerb(command);
      const call = { ...command, args: rest };
      const setting = gitSettings(command).find(isStrange);
      if (setting) return setting.arg;
      const address = rest.find(({ value }) => value.startsWith('ext::'));
      if (address) return address;
      if (verb !== 'init' && verb !== 'clone') return undefined;
      const template = command.env.find(({ name }) => name === 'GIT_TEMPLATE_DIR')?.value;
      return [template, ...optionValues(call, '--template')].find((arg) => arg && arg.value !== '');
    },
  },
];

/** A checkout that overwrites files rather than changing branches. */
function discards(call: SimpleCommand): Arg | boolean | undefined {
  if (option(call, '', 'ours', 'theirs')) return true;
  const makes = call.args.some((arg) => /^-(?!-)[a-zA-Z]*[bB]|^--orphan/.test(arg.value));
  const force = call.args.find(
    (arg, i) =>
      /^(?:-(?!-)[a-zA-Z]*f[a-zA-Z]*|--force)$/.test(arg.value) &&
      !call.args.slice(0, i).some((a) => a.value === '--') &&
      !/^-\w*[bB]/.test(arg.value),
  );
  if (force) return force;
  if (option(call, '', 'pathspec-from-file')) return true;
  if (makes) return undefined;
  const { before, after } = split(call);
  if (after && after.length > 0) return after[0];
  if (before.length > 1) {
    const tracking = call.args.some((arg) => /^(?:-t|--track)/.test(arg.value));
    const recurse = call.args.some((arg) => arg.value === '--recurse-submodules');
    return tracking || recurse ? undefined : before[1];
  }
  const only = before[0]?.value ?? '';
  return /^\.{1,2}(?:\/|$)|^\*|^:\/|^:\(/.test(only) ? before[0] : undefined;
}
