import { runsSetting } from '../../shell/index.ts';
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
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

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
    id: 'git-configuration',
    level: 'dangerous',
    sentence:
      'Makes git read its settings, its programs or its repositories from somewhere else, or serve them.',
    names: ['git'],
    match(command) {
      const { verb } = gitVerb(command);
      const rerouting = gitSettings(command).find(
        ({ key, stays }) => reroutes.test(key) && (stays || /^(?:include|url\.)/i.test(key)),
      );
      if (rerouting) return rerouting.arg;
      if (verb === 'daemon' || verb === 'instaweb' || verb === 'http-backend') return true;
      return undefined;
    },
  },
  {
    id: 'git-push-force',
    level: 'dangerous',
    sentence:
      'Overwrites or deletes branches or tags on the server, or sends them to an address that is no remote.',
    needs: ['network'],
    names: ['git'],
    match(command) {
      const call = sub(command, 'push');
      if (!call || ownOption(call, /^(?:-n|--dry-run)$/)) return undefined;
      return (
        call.args.find((arg) =>
          /^(?:-[a-zA-Z]*[fd][a-zA-Z]*|--force(?:=.*)?|--forc?|--delete|--mirror|--prune)$/.test(arg.value),
        ) ??
        operands(call)
          .slice(1)
          .find((arg) => /^(?:\+|:.)/.test(arg.value)) ??
        operands(call, '-o --push-option --receive-pack --exec --repo').find(
          (arg, i) => i === 0 && /^(?:https?|git|ftp):\/\/(?!localhost|127\.)/.test(arg.value),
        )
      );
    },
  },
  {
    id: 'git-runs',
    level: 'dangerous',
    sentence:
      'Has git run hooks, filters or other programs that the plan or the repository chose, now or later.',
    reversible: true,
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

/** Values that name nothing but what git, or everybody, has anyway. */
const usual =
  /^(?:|none|checkout|merge|rebase|true|false|always|never|\d+|cat|(?:less|more|delta|diff-so-fancy|vim?|nvim|nano|pico|emacs|emacsclient|micro|hx|code|subl|gpg2?|ssh|git-lfs|meld|vimdiff|nvimdiff)(?: [\w%+-]+(?:=\w+)?)*|store|cache(?: --timeout=\d+)?|osxkeychain|libsecret|manager(?:-core)?|wincred|ssh -i [~\w./-]+)$/;

const isStrange = ({ key, value }: GivenSetting): boolean => {
  if (runsSetting(key)) return value === undefined || !usual.test(value);
  return /^alias\./i.test(key) && (value === undefined || value.startsWith('!'));
};

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
