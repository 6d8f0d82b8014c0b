import { gitVerb, option } from '../args.ts';
import type { ShellScope } from '../scope.ts';
import type { SimpleCommand } from '../types.ts';

/**
 * git runs programs that a repository's own configuration names: a pager, a file-system monitor, diff and
 * signature programs. So commands that may start one are only safe in a folder that a person trusts.
 */

/** Read names and settings; start nothing. */
const plumbing: Readonly<Record<string, RegExp>> = {
  'rev-parse': /^(?:--[\w=-]+|-q)$/,
  'check-ignore': /^(?:-[vqnz]+|--(?:verbose|quiet|no-index))$/,
  'symbolic-ref': /^(?:--short|-q|--quiet)$/,
  var: /^-l$/,
  version: /^--build-options$/,
};

/** Read too, but may start what the repository names, or fetch from where it says. */
const porcelain: Readonly<Record<string, RegExp>> = {
  'rev-list':
    /^(?:--(?:count|all|max-count=\d+|since=.*|until=.*|left-right|parents|reverse|merges|no-merges|branches|tags|remotes|first-parent|objects|max-parents=\d+)|-n\d*|-\d+)$/,
  'merge-base': /^(?:--(?:all|is-ancestor|octopus|fork-point|independent)|-a)$/,
  'for-each-ref':
    /^--(?:format=[^%]*(?:%\([\w:.*-]+\)[^%]*)*|sort=\S+|count=\d+|contains|merged|no-merged|points-at)$/,
  'show-ref': /^(?:--(?:heads|tags|head|hash|verify|quiet|abbrev)|-[sdhq])$/,
  'name-rev': /^--(?:tags|name-only|all|always)$/,
  'ls-tree': /^(?:-[rdtlz]+|--(?:name-only|full-tree|long|full-name|abbrev))$/,
  'cat-file': /^-[pset]$/,
  'count-objects': /^(?:-[vH]+|--(?:verbose|human-readable))$/,
  cherry: /^(?:-v|--abbrev=\d+)$/,
  status:
    /^(?:-[sbuvz]+|-u\w+|--(?:short|branch|porcelain(?:=v\d)?|long|ignored|untracked-files(?:=\w+)?|ahead-behind|show-stash))$/,
  log: /^(?:-\d+|-n|-n\d+|-[pSGLi]\S*|-[pi]|--(?:oneline|graph|all|decorate(?:=\w+)?|stat|shortstat|numstat|name-only|name-status|patch|since=.*|until=.*|after=.*|before=.*|author=.*|grep=.*|format=.*|pretty(?:=.*)?|max-count=\d+|follow|reverse|merges|no-merges|first-parent|abbrev-commit|date=.*|branches|tags|remotes|no-pager|color(?:=\w+)?|no-color|topo-order|date-order|left-right|cherry-pick))$/,
  diff: /^(?:-[pwbMRCUz]\S*|--(?:stat|shortstat|numstat|name-only|name-status|cached|staged|patch|color(?:=\w+)?|no-color|word-diff(?:=\w+)?|check|summary|diff-filter=\w+|ignore-\S+|unified=\d+|no-ext-diff|no-textconv|exit-code|quiet|merge-base))$/,
  show: /^(?:-\d+|-[psqU]\S*|--(?:stat|oneline|name-only|name-status|format=.*|pretty(?:=.*)?|no-patch|patch|summary|color(?:=\w+)?|abbrev-commit|date=.*))$/,
  blame: /^(?:-[LCMwetlnsf]\S*|--(?:date=\w+|porcelain|line-porcelain|show-email|show-name))$/,
  shortlog: /^(?:-[snec]+|--(?:summary|numbered|email|all))$/,
  reflog: /^(?:-n\d*|-\d+|--(?:all|date=.*|oneline))$/,
  branch:
    /^(?:-[avr]+|-vv|--(?:all|remotes?|list|verbose|show-current|contains|no-contains|merged|no-merged|sort=\S+|format=.*|points-at|column))$/,
  tag: /^(?:-l|-n\d*|--(?:list|sort=\S+|contains|merged|points-at|format=.*))$/,
  remote: /^(?:-v|--verbose)$/,
  'ls-files':
    /^(?:-[cdmosuktvz]+|--(?:cached|deleted|modified|others|stage|exclude-standard|unmerged|full-name|error-unmatch))$/,
  describe: /^--(?:tags|always|long|abbrev=\d+|all|match=.*|exact-match|contains)$/,
  grep: /^(?:-[niIlLcwvhHEFGPqozp]+|-[ABCe]\S*|--(?:line-number|count|ignore-case|name-only|files-with-matches|word-regexp|extended-regexp|fixed-strings|cached|untracked))$/,
  config:
    /^(?:-l|--(?:list|get|get-all|get-regexp|show-origin|show-scope|local|global|system|worktree|name-only|null|type=\w+))$/,
  stash: /^(?:-p|--stat)$/,
  worktree: /^--(?:porcelain|verbose)$/,
  submodule: /^--(?:cached|recursive|quiet)$/,
  notes: /^$/,
  whatchanged: /^(?:-\d+|-[np]\d*|--(?:oneline|stat))$/,
  'diff-tree': /^(?:-[rpztmc]+|--(?:name-only|name-status|stat|no-commit-id|root))$/,
  'diff-files': /^(?:-[pqz]+|--(?:name-only|name-status|stat))$/,
  'diff-index': /^(?:-[pmz]+|--(?:cached|name-only|name-status|stat|quiet))$/,
  'show-branch': /^(?:-[ar]+|--(?:all|remotes|current|list))$/,
  'ls-remote': /^(?:-[htq]+|--(?:heads|tags|refs|quiet|symref|get-url))$/,
};

const readVerbs: Readonly<Record<string, RegExp>> = {
  stash: /^(?:list|show)$/,
  worktree: /^list$/,
  submodule: /^(?:status|summary)$/,
  notes: /^(?:list|show)$/,
  reflog: /^(?:show|exists)$/,
  remote: /^(?:show|get-url)$/,
};

export function gitCheck(command: SimpleCommand, scope: ShellScope): boolean {
  if (command.open || command.args.some((arg) => !arg.literal)) return false;
  const { verb, at, rest } = gitVerb(command);
  const global = command.args
    .slice(0, at)
    .every((arg) => /^--(?:no-pager|no-optional-locks|literal-pathspecs|version)$/.test(arg.value));
  if (!global) return false;
  const { trusted: isTrusted, trusts } = scope.context;
  const trusted = isTrusted === true && (trusts?.(scope.cwd) ?? true);
  const allowed = Object.hasOwn(plumbing, verb)
    ? plumbing[verb]
    : trusted && Object.hasOwn(porcelain, verb)
      ? porcelain[verb]
      : undefined;
  if (!allowed) return false;
  const dashes = rest.findIndex((arg) => arg.value === '--');
  const options = (dashes === -1 ? rest : rest.slice(0, dashes)).filter((arg) => arg.value.startsWith('-'));
  if (!options.every((arg) => allowed.test(arg.value))) return false;
  const words = rest.filter((arg) => !arg.value.startsWith('-'));
  const read = Object.hasOwn(readVerbs, verb) ? readVerbs[verb] : undefined;
  if (read && words[0] && !read.test(words[0].value)) return false;
  if (verb === 'stash' && words.length === 0) return false;
  if (verb === 'rev-parse' && !trusted) return words.every((arg) => /^[\w./-]+$/.test(arg.value));
  if (verb === 'symbolic-ref') return words.length === 1;
  if (verb === 'branch')
    return (
      words.length === 0 ||
      option({ ...command, args: rest }, '', 'list', 'contains', 'merged', 'no-merged', 'points-at') !==
        undefined
    );
  if (verb === 'tag')
    return (
      words.length === 0 ||
      option({ ...command, args: rest }, 'l', 'list', 'contains', 'merged', 'points-at') !== undefined
    );
  if (verb === 'config')
    return rest.some((arg) => /^(?:-l|--list|--get(?:-all|-regexp)?)$/.test(arg.value)) && words.length <= 1;
  if (verb === 'ls-remote') return words.every((arg) => !/^ext::|^-/.test(arg.value));
  return true;
}
