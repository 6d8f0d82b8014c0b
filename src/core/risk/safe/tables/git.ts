import { verbs } from '../table.ts';
import { isTrusted } from '../trust.ts';

/**
 * git runs programs that a repository's own settings name: a pager, a file-system monitor, diff and signature programs.
 * So commands that may start one are only safe in a folder that a person trusts. Signatures (`%G`) are never shown.
 */
const before = '--no-pager --no-optional-locks --literal-pathspecs';
const flat = (options: string): string => options.replace(/\s+/g, ' ');
const refs = /^[\w./@-]+$/;
const walk =
  flat(`-# -n=num --max-count=num --skip=num --since= --until= --after= --before= --author= --committer= --grep= --all
  --branches? --tags? --remotes? --first-parent --merges --no-merges --reverse --topo-order --date-order
  --author-date-order --left-right --cherry-pick --cherry-mark --left-only --right-only --no-walk? --ancestry-path?
  --boundary --simplify-by-decoration --full-history --invert-grep --all-match -iEFP --regexp-ignore-case
  --extended-regexp --fixed-strings --perl-regexp --min-parents=num --max-parents=num --not`);
const diff =
  flat(`-puswbRDa -BCMUX? -GS= --patch --no-patch --stat? --shortstat --numstat --dirstat? --summary --name-only
  --name-status --diff-filter= --color? --no-color --word-diff? --word-diff-regex= --color-words? --check --unified=num
  --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol
  --find-renames? --find-copies? --no-renames --minimal --patience --histogram --diff-algorithm= --no-ext-diff
  --no-textconv --exit-code --quiet --text --full-index --binary --abbrev? --raw -z --pickaxe-all --pickaxe-regex
  --function-context -W --submodule? --relative? --inter-hunk-context=num --compact-summary --no-prefix -r -t --root
  --ignore-submodules? --color-moved?`);
const shown =
  flat(`--oneline --graph --decorate? --no-decorate --decorate-refs= --format=pretty --pretty?pretty --abbrev-commit
  --no-abbrev-commit --date= --relative-date --notes? --no-notes --follow --source --clear-decorations
  --show-pulls --log-size --mailmap --use-mailmap --no-mailmap -L= --parents --children -cm --cc`);
const listed =
  flat(`--sort=sort --format=pretty --count=num --contains? --no-contains? --merged? --no-merged? --points-at=
  --ignore-case -i --omit-empty --color? --no-color --column? --no-column`);

export const gitRows = [
  ...verbs(
    'git',
    before,
    `
    version ; --build-options
    rev-parse ; -q --quiet --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix
      --show-cdup --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree
      --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches --tags --remotes
      --show-object-format ; refs
    symbolic-ref ; --short -q --quiet ; refs 1-1
    var ; ; refs 1-1
  `,
    { kinds: { refs } },
  ),
  ...verbs(
    'git',
    `${before} -C=inside`,
    `
    rev-parse ; -q --quiet --verify --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --git-dir ; words
    var ; -l
    check-ignore ; -vqn --verbose --quiet --no-index --non-matching ; words
    rev-list ; --count --objects --parents --children --timestamp --pretty?pretty --format=pretty --oneline
      --abbrev-commit --disk-usage? ${walk} ; words
    log, whatchanged ; ${walk} ${diff} ${shown} ; words
    show ; ${diff} ${shown} -# -n=num ; words
    diff ; ${diff} --cached --staged --merge-base -z ; words
    diff-tree, diff-files, diff-index ; ${diff} --cached --no-commit-id -mcz --merge-base --always ; words
    reflog ; ${walk} ${shown} --stat? -p ;
    reflog show ; ${walk} ${shown} --stat? -p ; words
    reflog exists ; ; words 1
    shortlog ; ${walk} -snec --summary --numbered --email --committer --group= --format=pretty ; words
    blame, annotate ; -wetlnsfpbcC -M? -L= --date= --porcelain --line-porcelain --show-email --show-name --show-number
      --root --abbrev=num --color-lines --color-by-age --since= --first-parent --incremental --show-stats ; words
    status ; -sbvz -u? --short --branch --porcelain? --long --ignored? --untracked-files? --ahead-behind --no-ahead-behind
      --show-stash --verbose --renames --no-renames --find-renames? --ignore-submodules? --column? --no-column ; words
    merge-base ; -a --all --is-ancestor --octopus --fork-point --independent ; words
    for-each-ref ; ${listed} --exclude= ; words
    show-ref ; -sdhq --head --heads --branches --tags --hash? --verify --quiet --abbrev? --dereference ; words
    name-rev ; --tags --name-only --all --always --refs= --no-undefined ; words
    ls-tree ; -rdtlz --name-only --name-status --full-tree --long --full-name --abbrev? --object-only ; words
    cat-file ; -ptse ; words 1-2
    count-objects ; -vH --verbose --human-readable
    cherry ; -v --verbose --abbrev? ; words
    branch ; -avri --all --remotes --list --verbose --show-current --abbrev? --no-abbrev ${listed}
    branch ; !--list !--contains? !--no-contains? !--merged? !--no-merged? !--points-at= -avr --all --remotes --verbose
      --sort=sort --format=pretty --color? --no-color --ignore-case ; words
    tag ; -n? -i ${listed}
    tag ; !-l !--list !--contains? !--no-contains? !--merged? !--no-merged? !--points-at= -n? -i --sort=sort
      --format=pretty --color? --ignore-case ; words
    remote ; -v --verbose
    remote show ; -n ; remote 1
    remote get-url ; --all --push ; remote 1
    ls-files ; -cdmosuktvzi --cached --deleted --modified --others --stage --unmerged --killed --ignored
      --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --eol --recurse-submodules
      --abbrev? --format=pretty --deduplicate --exclude= -x= ; words
    ls-remote ; -htqb --heads --branches --tags --refs --quiet --symref --get-url --exit-code --sort=sort ; remote
    describe ; --tags --always --long --abbrev=num --all --match= --exclude= --exact-match --contains --dirty?
      --broken? --candidates=num --first-parent ; words
    grep ; -niIlLcwvhHEFGPqozpWa# -ABCme= --line-number --count --ignore-case --name-only --files-with-matches
      --files-without-match --word-regexp --extended-regexp --fixed-strings --perl-regexp --basic-regexp --cached
      --untracked --and --or --not --all-match --heading --break --show-function --function-context
      --context= --after-context= --before-context= --max-depth=num --max-count=num --only-matching --invert-match
      --recurse-submodules --column --color? --no-color --no-textconv --text --quiet --null --threads=num ; words
    config ; -l --list --get --get-all --get-regexp --show-origin --show-scope --local --global --system --worktree
      --name-only --null -z --type= --bool --int --path --includes --no-includes --default= ; dotted 1
    config ; !--get-regexp --show-origin --show-scope --local --global --system --worktree --name-only --null -z ; key 1
    config get|list ; --all --regexp --show-origin --show-scope --local --global --system --worktree --name-only --null
      --type= ; key 1
    stash list ; ${walk} ${shown} ${diff} ; words
    stash show ; ${diff} -u --include-untracked --only-untracked ; words
    worktree list ; --porcelain --verbose -vz
    submodule, notes ; ;
    submodule status, submodule summary ; --cached --recursive --quiet -q --files -n=num ; words
    notes list, notes show ; --ref= ; words 1
    show-branch ; -ar --all --remotes --current --list --topo-order --date-order --sha1-name --no-name --color --topics
      --merge-base --independent ; words
    bisect log, rerere status, rerere diff, bundle list-heads ; ; words
    range-diff ; ${diff} --creation-factor=num --no-dual-color --left-only --right-only ; words
  `,
    {
      trusted: true,
      kinds: {
        inside: (value, scope) => isTrusted(scope, value),
        pretty: /^(?!.*%G)(?!.*signature)/s,
        dotted: /^(?!.*(?:extraheader|token|passw|secret|credential|cookie))[\w-]+\.[\w.*/:@-]+$/i,
        key: /^(?!.*(?:extraheader|token|passw|secret|credential|cookie))[\w.*/:@-]+$/i,
        remote: /^[\w-]+$/,
      },
    },
  ),
];
