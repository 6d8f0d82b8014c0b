import { programs, type SafeRow, verbs } from '../table.ts';
import { isTrusted } from '../trust.ts';

/** Managers of packages and of languages: what lists, searches or explains. */

const npmFlags =
  '--json --long -l --all -a --depth=num --parseable -p --omit=name --include=name --prod --production --dev --global -g --silent -s --quiet -q --loglevel=name --no-color --color? --link --package-lock-only --unicode';
const pipFlags =
  '--disable-pip-version-check --no-color --no-input -q --quiet -v --verbose --isolated --require-virtualenv --no-python-version-warning';

/** A path, and a file of this name, would be loaded as code; a name of three parts fetched first. */
const brewed = { formula: /^[\w+-]+(?:@[\d.]+)?$/, tap: /^[\w-]+\/[\w-]+$/ };

const settings = { setting: /^(?!.*(?:auth|token|passw|key|cert|secret))[\w.-]+$/i };

/** They read the project's files as data, and nothing else of the folder. */
const anywhere = [
  // What asks a registry asks the one that the folder names, with what it takes from the environment.
  ...verbs(
    'npm',
    npmFlags,
    `
    ls, list, la, ll ; ; package
    explain, why ; ; package 1+
    query ; ; words 1-1
    root, prefix, bin, completion ;
    run, run-script ;
    run, run-script ; --list ;
  `,
  ),
  ...verbs(
    'pip pip3',
    pipFlags,
    `
    list ; -oule --outdated --uptodate --local --user --editable --exclude= --exclude-editable --include-editable
      --format=name --path= --pre --not-required
    freeze ; -l --local --user --all --exclude= --exclude-editable --path=
    check ;
    inspect ; --local --user --path=
    show ; -f --files ; name 1+
    cache dir, cache info ;
    cache list ; --format=name ; name 1
    config list ; --global --user --site
    config get ; --global --user --site ; setting 1-1
    debug, help ;
    help ; ; name 1-1
    hash ; --algorithm=name -a=name ; files 1+
    index versions ; --pre --json --platform=name --python-version=name --implementation=name --abi=name ; name 1-1
  `,
    {
      kinds: {
        setting: /^[\w.-]+\.(?:timeout|require-virtualenv|disable-pip-version-check|no-cache-dir)$/,
      },
    },
  ),
  ...verbs(
    'conda mamba',
    '--json -q --quiet',
    `
    list ; -n=name --name=name --explicit --export -e --full-name ; name 1
    env list, info ; --envs -e --all -a ;
  `,
  ),
  ...verbs(
    'gem',
    '',
    'list, search, outdated, environment ; --local -l --remote -r --all -a --versions --no-versions ; name',
  ),
  ...verbs(
    'apt',
    '',
    `
    list ; --installed --upgradable --all-versions -a ; name
    show, search, policy, depends, rdepends ; -a --all-versions --names-only -n --full -f ; name
  `,
  ),
  ...verbs(
    'ruff',
    '',
    'rule ; --all --output-format=name ; name 1\nlinter, version ; --output-format=name\nconfig ; ; name 1',
  ),
  ...verbs(
    'apt-cache',
    '',
    'show, showpkg, search, policy, depends, rdepends, madison, pkgnames, stats ; -a --all-versions --names-only -n --full -f ; name',
  ),
  ...programs(
    'dpkg dpkg-query ; !-lLsSpW !--list !--listfiles !--status !--search !--print-avail !--show !--get-selections !--version --no-pager ; pattern',
    { kinds: { pattern: /^[\w.+:*?/-]+$/ } },
  ),
  ...programs(
    'rpm ; !-q -ailfdcRv --all --info --list --changelog --requires --provides --whatprovides= --qf=tags --queryformat=tags ; named',
    {
      also: (_, { args }) => args[0]?.value.startsWith('-q') === true,
      kinds: { named: /^[\w.+~^*/-]+$/, tags: /^(?:[^%]|%\{[\w:,-]+\}|%%)*$/ },
    },
  ),
  ...verbs(
    'dnf yum',
    '-q --quiet -C --cacheonly',
    'list, info, search, provides, repolist, history list ; --installed --available ; name',
  ),
  ...programs('pacman ; !-Q !--query -deiklmoqstu --info --list --search ; name'),
  ...verbs('apk', '', 'list, info, search, policy ; --installed -I -v -e -a ; name'),
  ...verbs('snap flatpak', '', 'list, info, find, search ; --all ; name'),
  ...verbs(
    'brew',
    '-q --quiet -v --verbose -d --debug',
    `
    list, ls ; -1lrt --formula --formulae --cask --casks --versions --full-name --pinned --multiple --installed-on-request
      --installed-as-dependency --poured-from-bottle --built-from-source ; formula
    info, desc, search, deps, uses, outdated, leaves, options, missing ; -1nprs --all --analytics
      --annotate --cask --casks --category= --days= --description --direct --for-each --formula --formulae
      --full-name --graph --include-build --include-optional --include-test --installed
      --installed-as-dependency --installed-on-request --json? --missing --name --pull-request --recursive --sizes
      --skip-recommended --topological --tree --union ; formula
    casks, formulae, commands, config ; --include-aliases
    doctor, dr ; -D --audit-debug --list-checks
    shellenv ; ; name 1
    cat ; --cask --formula ; formula 1-1
    tap-info ; --installed --json? ; tap
    help ; ; name 1
    log ; -1p -n=num --patch --stat --oneline --formula --cask ; formula 1
  `,
    { kinds: brewed },
  ),
  ...programs(
    'brew ; !--version !--taps !--cellar !--caskroom !--prefix !--repository !--repo !--cache -s --HEAD --cask --formula --installed --unbrewed ; formula',
    { kinds: brewed, also: (_, { args }) => args[0]?.value.startsWith('--') === true },
  ),
];

/** They load code, or follow settings, of the folder they run in. */
const trusted = [
  ...verbs(
    'npm',
    npmFlags,
    `
    ls, list, la, ll, why, explain, outdated, root, prefix, bin ; --long ; package
    view, v, info, show, search, find, s ; --searchlimit=num ; package
    config list, config ls, licenses list, licenses ;
    config get, get ; ; setting 1-1
    audit ; --audit-level=name
    access list packages, access list collaborators, dist-tag ls, owner ls, team ls, org ls, stars ; ; name
    cache ls, cache list, ping, whoami, doctor, fund, run, completion ;
    profile get ; ; name 1
  `,
    { kinds: settings },
  ),
  // A word that is no command of theirs is a script of the folder's.
  ...verbs(
    'pnpm',
    npmFlags,
    `
    ls, list, la, ll, why, outdated, root, bin, view, v, info, show, search, find, s ; --long ; package
    licenses list, config list, whoami, ping, prefix ;
    config get ; ; setting 1-1
    audit ; --audit-level=name
  `,
    { kinds: settings },
  ),
  ...verbs('yarn', npmFlags, 'info, why ; ; package 1+\nbin ;\nconfig get ; ; setting 1-1', {
    kinds: settings,
  }),
  ...verbs(
    'uv',
    '--no-progress --offline -q --quiet --color=name --no-color',
    `
    python list ; --only-installed --all-versions --only-downloads ;
    python find, python dir, cache dir, tool list, help, self version, version ;
    pip list, pip freeze, pip check, pip tree, pip show ; --outdated --strict --format=name --exclude=name --editable
      --depth=num --system --no-dedupe --invert -f --files ; name
    tree ; !--frozen --depth=num --package=name ;
  `,
  ),
  ...verbs(
    'cargo',
    '-q --quiet -v --verbose --color=name --offline --locked --frozen',
    `
    search ; --limit=num ; name 1+
    info, pkgid ; ; name 1
    locate-project, version, verify-project ; --workspace --message-format=name ;
    tree ; --depth=num -d --duplicates -i= --invert= -e= --edges= -p= --package= --prefix=name ;
    owner ; !--list ; name 1
  `,
  ),
  ...verbs(
    'rustup',
    '',
    `
    show ; -v ;
    show active-toolchain, show home, toolchain list, target list, component list ; --installed -v ;
    which ; ; name 1-1
  `,
  ),
  ...verbs(
    'go',
    '',
    `
    version ;
    env ; ; goenv 1+
    help ; ; name 1
  `,
    {
      single: true,
      kinds: {
        goenv:
          /^(?:GO(?:PATH|ROOT|OS|ARCH|VERSION|MOD|WORK|BIN|CACHE|MODCACHE|HOSTOS|HOSTARCH|TOOLCHAIN)|CGO_ENABLED)$/,
      },
    },
  ),
  ...verbs(
    'poetry',
    '--no-ansi',
    'show, env list, env info ; --tree -t --latest -l --outdated -o --top-level -T --path -p ; name\nversion, check, about ; -s --short',
  ),
  ...verbs('bundle', '', 'list, show, outdated, check ; --name-only --paths ; name 1'),
  ...verbs(
    'composer',
    '--no-ansi -q --no-interaction -n',
    'show, outdated, licenses, about ; --tree -t --installed -i --direct -D --latest -l ; name',
  ),
  ...verbs('brew', '', 'bundle list, bundle check ; --all --cask --formula --tap --mas -qv'),
  ...programs('ansible-doc ; -ljs -t=name --type=name --list --json --snippet --help --version ; name'),
  // A module of this name in the folder would be run instead.
  ...programs(
    'python python3 ; !-m=tool --compact --indent=num --json-lines --no-ensure-ascii --no-indent --sort-keys --tab ; files 1',
    { kinds: { tool: /^json\.tool$/ } },
  ),
];

export const packageRows: SafeRow[] = [
  ...anywhere,
  ...trusted.map(
    ([name, check]): SafeRow => [name, (command, scope) => isTrusted(scope) && check(command, scope)],
  ),
];
