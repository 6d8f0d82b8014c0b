import type { SimpleCommand } from '../types.ts';
import { aws, azVerbs, brew, docker, gcloud, ghApi, helm, kubectl, terraform } from './clouds.ts';
import { limited, type SafeCheck, table } from './types.ts';
import { cli } from './verbs.ts';

/** Package managers of languages: what lists, searches or explains. They read the project's files as data. */
const npm = cli({
  deny: /^--(?:fix|force|userconfig|globalconfig|script-shell|ignore-scripts=false|registry|prefix|node-options|browser|viewer|json-output)(?:=|$)/,
  reads:
    'ls | list | la | ll | view | v | info | show | search | find | s | outdated | help | config list | config ls | config get | get | access list | fund | doctor | cache ls | cache list | completion | stars | ping | whoami | root | prefix | bin | explain | why | query | owner ls | dist-tag ls | team ls | org ls | token list | profile get | audit | licenses list | licenses | why',
});
const npmCheck: SafeCheck = (command, scope) =>
  (command.args.length === 1 && command.args[0]?.value === 'run') ||
  (npm(command, scope) && !command.args.some((arg) => arg.value === 'fix'));

const pip = cli({
  deny: /^--(?:log|target|python|report|dest|cache-dir|cert|client-cert)(?:=|$)/,
  reads:
    'list | show | freeze | check | help | config list | config get | config debug | debug | cache dir | cache info | cache list | index versions | inspect | hash | search',
});

/** These load code or settings from the folder they run in. */
const whenTrusted =
  (check: SafeCheck): SafeCheck =>
  (command, scope) =>
    scope.context.trusted === true && check(command, scope);

const simple = (reads: string, deny?: RegExp): SafeCheck => cli(deny ? { reads, deny } : { reads });

/** macOS and other tools where the first word or option says all. */
const firstWord =
  (allowed: RegExp): SafeCheck =>
  (command) =>
    !command.open &&
    command.args.every((arg) => arg.literal && !arg.glob) &&
    allowed.test(command.args[0]?.value ?? '');

export const cliChecks: readonly [string, SafeCheck][] = [
  ...table('docker podman nerdctl', docker),
  [
    'docker-compose',
    simple(
      'ps | logs | config | images | ls | top | version | port',
      /^(?:-H|--host|--context|-o|--output)(?:=|$)/,
    ),
  ],
  ...table('kubectl oc', kubectl),
  ['aws', aws],
  ['az', azVerbs],
  ['gcloud', gcloud],
  ['gsutil', simple('ls | du | stat | version | cat')],
  ['gh', ghApi],
  [
    'glab',
    simple(
      'mr list | mr view | issue list | issue view | repo view | ci view | ci list | ci status | release list | release view | label list',
    ),
  ],
  ['helm', helm],
  ...table(
    'terraform tofu',
    (command, scope) =>
      (command.args.length === 1 && command.args[0]?.value === 'version') ||
      whenTrusted(terraform)(command, scope),
  ),
  [
    'brew',
    (command, scope) =>
      brew(command, scope) ||
      firstWord(/^--(?:cache|cellar|caskroom|prefix|repository|version|taps|env)$/)(command, scope),
  ],
  ...table('npm pnpm', npmCheck),
  ['yarn', whenTrusted(npmCheck)],
  ...table('pip pip3', pip),
  [
    'uv',
    simple(
      'python list | python find | python dir | pip list | pip show | pip freeze | pip check | pip tree | tool list | cache dir | help',
      /^--(?:directory|project|config-file|output-file|o)(?:=|$)/,
    ),
  ],
  [
    'cargo',
    whenTrusted(
      simple(
        'search | info | locate-project | pkgid | version | owner --list',
        /^--(?:config|manifest-path)(?:=|$)|^[+]/,
      ),
    ),
  ],
  ['rustup', simple('show | toolchain list | target list | component list | which')],
  ['go', whenTrusted(simple('version | env GOPATH | env GOROOT | help'))],
  [
    'auth0',
    simple(
      'apps list | apps ls | apps show | apis list | apis ls | apis show | roles list | roles show | roles permissions list | users show | users search | orgs list | orgs show | rules list | rules show | actions list | actions show | domains list | domains ls | domains show | logs list | tenants list | qs list | protection * show',
    ),
  ],
  ['vault', simple('status | version | secrets list | auth list | policy list | policy read | audit list')],
  ['rclone', simple('ls | lsl | lsd | lsf | lsjson | size | about | version | listremotes | md5sum | check')],
  ['restic', simple('snapshots | ls | stats | version | list')],
  [
    'systemctl',
    simple(
      'status | is-active | is-enabled | is-failed | list-units | list-unit-files | list-timers | list-sockets | show | cat | list-dependencies | get-default',
      /^(?:-H|--host|-M|--machine|--root|--image)(?:=|$)/,
    ),
  ],
  [
    'service',
    (command) =>
      command.args.length === 2 &&
      command.args[1]?.value === 'status' &&
      command.args.every((arg) => arg.literal),
  ],
  ['apt', simple('list | show | search | policy')],
  ['apt-cache', simple('show | search | policy | depends | rdepends | madison')],
  ['dpkg', firstWord(/^(?:-l|-L|-s|-S|--list|--status|--search|--listfiles|--get-selections)$/)],
  ['rpm', firstWord(/^-q[ailfdcp]*$/)],
  [
    'ansible-doc',
    whenTrusted(
      limited({ options: /^(?:-[ltjs]+|--list|-t|--type|--json|-h|--help|--version)$/, valued: '-t --type' }),
    ),
  ],
  ['crontab', limited({ options: /^-l$/, maxOperands: 0 })],
  ['defaults', firstWord(/^(?:read|read-type|domains|find)$/)],
  ['diskutil', firstWord(/^(?:list|info|information|listFilesystems)$/)],
  [
    'launchctl',
    firstWord(/^(?:list|print|print-disabled|version|getenv|blame|managername|managerpid|manageruid)$/),
  ],
  ['networksetup', firstWord(/^-(?:list|get|show|version|is)/)],
  ['scutil', firstWord(/^(?:--get|--dns|--proxy|--nwi|-r)$/)],
  [
    'tmutil',
    firstWord(
      /^(?:help|version|list\w*|latestbackup|machinedirectory|destinationinfo|status|isexcluded|uniquesize|compare|verifychecksums|calculatedrift)$/,
    ),
  ],
  [
    'pkgutil',
    firstWord(/^--(?:pkgs\S*|groups|group-pkgs|files|pkg-info\S*|export-plist|lsbom|file-info|volumes)$/),
  ],
  ['profiles', firstWord(/^(?:status|list|show|help|version)$/)],
  ['lipo', firstWord(/^-(?:info|archs|detailed_info)$/)],
  ['hdiutil', firstWord(/^(?:help|imageinfo|info|isencrypted|plugins)$/)],
  ['sips', firstWord(/^(?:-g|--getProperty|--help|-h)$/)],
  ['spctl', firstWord(/^(?:--assess|-a|--status)$/)],
  [
    'security',
    firstWord(
      /^(?:list-keychains|find-certificate|list-smartcards|dump-trust-settings|translocate-\S+|show-keychain-info|error|help)$/,
    ),
  ],
  [
    'fzf',
    (command) =>
      !command.open &&
      command.args.every(
        (arg) =>
          arg.literal &&
          !/^--(?:preview(?:=|$)|listen|history|with-shell|bind(?:=.*(?:execute|become|reload|transform|preview|change-preview).*|$)|walker-root|style|become|tmux|profile)/.test(
            arg.value,
          ),
      ) &&
      !command.args.some((_arg, i) => command.args[i - 1]?.value === '--bind'),
  ],
  [
    'nats',
    simple(
      'stream info | stream ls | stream list | consumer info | consumer ls | kv ls | kv get | server list | server ping | account info',
    ),
  ],
  ['rabbitmqctl', firstWord(/^(?:list_\w+|status|report|cluster_status|environment|ping|version)$/)],
  ['pre-commit', firstWord(/^(?:help|--version)$/)],
  ['xcode-select', firstWord(/^(?:-p|--print-path|-v|--version)$/)],
  ...table(
    'node nodejs python python3 ruby php java gcc g++ clang deno bun tsc make cmake perl',
    (command: SimpleCommand) =>
      command.args.length === 1 &&
      /^(?:-v|-V|--version|-version|version)$/.test(command.args[0]?.value ?? '') &&
      !(command.name === 'deno' && command.args[0]?.value === '-v') &&
      !(command.name === 'ruby' && command.args[0]?.value === '-v'),
  ),
];
