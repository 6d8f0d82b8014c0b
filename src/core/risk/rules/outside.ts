import { gitVerb, isDryRun, isHelp, joined, operands, option, optionValues, ownOption } from '../args.ts';
import { isOutside } from '../paths.ts';
import type { Arg, CommandRule, RuleInfo, SimpleCommand, Where } from '../types.ts';
import { uploadOptions } from './sending.ts';

/** What no checkpoint reaches: other hosts, servers and registries, and what the whole user or machine shares. */

export const otherHost: RuleInfo = {
  id: 'other-host',
  level: 'dangerous',
  sentence: 'Changes something on another host, where no checkpoint reaches.',
  needs: ['network'],
};

const installs =
  '(?:i|in|ins|inst|install|add|update|up|upgrade|uninstall|un|remove|rm|r|rb|rebuild|link|ln|unlink)';
const changes = '(?:set|unset|add|delete|edit|reset|use|fix)';
const use = '(?:install|uninstall|use|global|default|alias|update|upgrade|remove|add|set|i|in|self)';

/** By program: what of its words makes it change something that all projects of the user share. */
const shared: Readonly<Record<string, RegExp>> = {
  npm: new RegExp(
    String.raw`^(?=.*(?:^| )(?:-g|--global|--location[= ]global)(?: |$))(?:-\S+ )*${installs}(?: |$)|^(?:link|ln)(?: |$)|^(?:config|c) (?:set|delete|edit)(?!.*--location[= ]project)|^(?:set|login|adduser|logout)(?: |$)`,
  ),
  pnpm: new RegExp(
    String.raw`^(?=.*(?:^| )(?:-g|--global)(?: |$))(?:-\S+ )*${installs}(?: |$)|^setup(?: |$)|^(?:config|c) (?:set|delete)(?!.*--location[= ]project)|^env use`,
  ),
  yarn: /^global (?!list|dir|bin)|^config set .*(?:-H|--home)/,
  bun: new RegExp(`^(?=.*(?:^| )(?:-g|--global)(?: |$))${installs}(?: |$)|^link(?: |$)|^upgrade`),
  deno: /^install .*(?:-g|--global)\b|^upgrade/,
  pip: /^(?:install|uninstall) (?:.* )?(?:--user|--break-system-packages)(?: |$)|^config (?:set|unset|edit)/,
  pipx: new RegExp(`^(?:inject|ensurepath|reinstall(?:-all)?|${use})(?: |$)`),
  uv: /^tool (?:install|upgrade|uninstall|update-shell)|^python (?:install|uninstall|upgrade)|^pip (?:install|uninstall|sync) (?:.* )?(?:--system|--break-system-packages)|^self /,
  poetry: /^self (?:add|remove|update)|^config (?!.*(?:--local|--list))\S+ \S/,
  conda:
    /^config .*--(?:set|add|append|prepend|remove)|^(?:install|remove|update) .*(?:-n|--name)[= ]base|^env remove|^remove .*--all\b/,
  mamba: /^env remove|^remove .*--all\b/,
  micromamba: /^env remove|^remove .*--all\b/,
  gem: /^sources .*(?:-a|-r|-c|--add|--remove|--clear)|^(?:install|uninstall|update|cleanup)(?: |$)(?!.*(?:-i|--install-dir)[= ])/,
  cargo: /^(?:install|uninstall)(?: |$)(?!.*--(?:root|list))/,
  rustup:
    /^(?:default|update|self|install|uninstall|(?:toolchain|component|target) (?:install|add|remove|uninstall|link))(?: |$)/,
  go: /^install(?: |$)|^env (?:-w|-u)/,
  dotnet: /^tool (?:install|update|uninstall) .*(?:-g|--global)\b|^workload (?:install|update|uninstall)/,
  composer: /^global (?!show|config --list)|^self-?update|^config .*(?:-g|--global)/,
  luarocks: /^(?:install|remove)(?: |$)(?!.*--tree)/,
  cpan: /^(?!-[vlLaAD])\S/,
  cpanm: /^(?!.*(?:-l|-L|--local-lib))\S/,
  corepack: /^(?:enable|disable|install -g|prepare .*--activate)/,
  nvm: new RegExp(`^${use}(?: |$)`),
  fnm: new RegExp(`^${use}(?: |$)`),
  volta: new RegExp(`^(?:pin|${use})(?: |$)`),
  asdf: /^(?:install|uninstall|global|plugin (?:add|remove|update)|set (?:.* )?(?:-u|--home))/,
  direnv: /^(?:allow|permit|grant)/,
  mise: /^(?:trust|use (?:.* )?(?:-g|--global)|upgrade|uninstall|self-update)/,
  pyenv: /^(?:install|uninstall|global)(?: \S)/,
  rbenv: /^(?:install|uninstall|global)(?: \S)/,
  sdk: /^(?:install|uninstall|default|upgrade|selfupdate)/,
  brew: /^(?:install|reinstall|upgrade|tap|untap|link|pin|bundle(?! (?:check|list))|services (?:start|restart|run))(?: |$)/,
  code: /--(?:un)?install-extension|^tunnel/,
  defaults: /^(?:-\S+ )*(?:write|import|rename)/,
  gsettings: /^set(?: |$)/,
  dconf: /^(?:write|load|update)/,
  localectl: /^set-/,
  security: /^(?:add-|set-|import|create-|unlock|authorize)/,
  kwriteconfig5: /^/,
  kwriteconfig6: /^/,
  date: /(?:^| )(?:-\w*s|--set)/,
  sshfs: /^[^-]/,
  s3fs: /^[^-]/,
  gcsfuse: /^[^-]/,
  bindfs: /^[^-]/,
  gh: /^auth (?:login|logout|refresh|setup-git|switch)|^config set|^(?:extension|ext) (?:install|upgrade|remove)|^alias (?:set|import|delete)/,
  docker: /^(?:login|logout)(?: |$)|^context (?:use|create|rm|update|import)/,
  podman: /^(?:login|logout)(?: |$)/,
  aws: /^configure(?! (?:list|get|list-profiles|export-credentials))|^sso (?:login|logout)/,
  gcloud: new RegExp(
    `^config (?:${changes}|configurations (?:create|activate|delete))|^auth (?:login|revoke|activate|application-default login|configure-docker)|^init|^components (?:install|update|remove)`,
  ),
  az: /^(?:login|logout|configure|config (?:set|unset)|account (?:set|clear)|extension (?:add|remove|update))(?: |$)/,
  kubectl: /^krew (?:install|upgrade|uninstall)|^config (?:set|use-context|use|unset|delete|rename)/,
  helm: /^plugin (?:install|update|uninstall)|^registry (?:login|logout)/,
  terraform: /^(?:login|logout)(?: |$)/,
  gpg: /--(?:import|delete|gen-key|full-gen|generate|quick-|edit-key|recv|refresh|sign-key|lsign|trust)|^-?-\S*key-gen/,
  mkcert: /-(?:un)?install/,
  systemctl:
    /^(?:--?\S+ )*(?:start|restart|try-restart|reload|reload-or-restart|daemon-reload|daemon-reexec|set-environment|import-environment|reset-failed|preset|reenable|enable|edit|link|set-property|add-wants)(?: |$)/,
  service: /^\S+ (?:start|restart|reload|force-reload)$/,
  launchctl: /^(?:load|bootstrap|start|kickstart|enable|setenv|submit)/,
};
const always = new Set(
  'update-ca-certificates ldconfig update-alternatives systemd-run xdg-settings xdg-mime chsh locale-gen dpkg-reconfigure add-apt-repository apt-add-repository apt-key'.split(
    ' ',
  ),
);
const systemPackages =
  /^(?:-\S+ )*(?:install|reinstall|upgrade|full-upgrade|dist-upgrade|build-dep|localinstall|groupinstall|group install|in|add|refresh|-[iUFSu]\S*|--install|--upgrade|--sync|-\S*i\S*)(?: |$)/;
const systemManagers = new Set(
  'apt apt-get aptitude dpkg yum dnf microdnf rpm zypper pacman yay paru apk snap flatpak port emerge xbps-install nix-env pkg winget choco scoop opkg'.split(
    ' ',
  ),
);

/** Options of the whole command that mean that nothing is done, some of them in one program only. */
function isDry(command: SimpleCommand): boolean {
  if (isDryRun(command) || isHelp(command)) return true;
  if (command.args.length === 1 && command.args[0]?.value === '--version') return true;
  if (/^(?:apt|apt-get|aptitude)$/.test(command.name))
    return ownOption(command, /^(?:-s|--print-uris|--download-only|-d)$/) !== undefined;
  return /^ansible/.test(command.name) && ownOption(command, /^(?:--check|-C)$/) !== undefined;
}

/** `python -m pip install`, as pip would see it. */
function asPip(command: SimpleCommand): SimpleCommand | undefined {
  if (/^pip[\d.]*$/.test(command.name)) return command;
  const at = /^(?:python|pypy)[\d.]*$|^py$/.test(command.name)
    ? command.args.findIndex((arg, i) => arg.value === 'pip' && command.args[i - 1]?.value === '-m')
    : -1;
  return at === -1 ? undefined : { ...command, name: 'pip', args: command.args.slice(at + 1) };
}

const builders = /^(?:g?make|ninja|cmake|meson)$/;

function installsForAll(command: SimpleCommand, where: Where): boolean {
  const { name } = command;
  if (/^p(?:ip|y)/.test(name) && asPip(command)) return installsByPip(command, where);
  const table = Object.hasOwn(shared, name) ? shared[name] : undefined;
  const isManager = systemManagers.has(name);
  const isBuilder = builders.test(name);
  if (!table && !isManager && !isBuilder && name !== 'git' && !always.has(name)) return false;
  if (isDry(command)) return false;
  if (table) return table.test(joined(command));
  if (isManager) return systemPackages.test(joined(command));
  if (isBuilder) return installsOut(command, where);
  return name === 'git'
    ? gitForAll(command)
    : command.args.length > 0 || /^(?:update-ca|ldconfig|locale)/.test(name);
}

function installsByPip(command: SimpleCommand, where: Where): boolean {
  const pip = asPip(command) as SimpleCommand;
  if (isDry(pip)) return false;
  const text = joined(pip);
  if (shared['pip']?.test(text)) return true;
  const own =
    command.path.includes('/') || optionValues(pip, '-t', '--target', '--prefix', '--root').length > 0;
  return /^(?:install|uninstall)(?: |$)/.test(text) && where.context.venv === false && !where.venv && !own;
}

function gitForAll(command: SimpleCommand): boolean {
  const { verb, rest } = gitVerb(command);
  const has = (pattern: RegExp): boolean => rest.some((arg) => pattern.test(arg.value));
  if (verb === 'config') {
    const reads =
      has(/^(?:--get\S*|--list|-l|list|get|--show-\S+)$/) ||
      (rest.length === 2 && !has(/^(?:-e|--edit|edit)$/));
    return has(/^--(?:gl|sy)/) && !reads;
  }
  if (verb === 'lfs')
    return /^(?:un)?install$/.test(rest[0]?.value ?? '') && !has(/^--(?:local|worktree|file)/);
  if (verb === 'credential') return /^(?:approve|reject|store|erase)$/.test(rest[0]?.value ?? '');
  return verb === 'maintenance' && /^(?:start|stop|register|unregister)$/.test(rest[0]?.value ?? '');
}

/** An installation as root, or to a place outside that is named. Without either it is whatever the project calls so. */
function installsOut(command: SimpleCommand, where: Where): boolean {
  const isInstall = command.args.some((arg) => /^-?-?(?:un)?install(?:[-_/]\S+)?$/.test(arg.value));
  if (!isInstall) return false;
  if (command.via.some((name) => /^(?:sudo|doas|pkexec|run0)$/.test(name))) return true;
  const named = [
    ...command.args.map((arg) => arg.value),
    ...command.env.map(({ name, value }) => `${name}=${value.value}`),
  ];
  return named.some((text) => {
    const place =
      /^(?:-D)?(?:DESTDIR|PREFIX|prefix|CMAKE_INSTALL_PREFIX|INSTALL_ROOT|BINDIR|bindir)=(.+)$/.exec(
        text,
      )?.[1];
    return place !== undefined && isOutside(place, where);
  });
}

const deploys = 'deploy|apply|up|publish|release|promote|rollout|push';

/** By program: what of its words changes something that others see, on a server, in a cluster, a registry. */
const remote: Readonly<Record<string, RegExp>> = {
  docker:
    /^(?:image |manifest |compose |trust )?push(?: |$)|^buildx? .*--push|^(?:stack deploy|service (?:create|update|scale|rollback)|swarm)/,
  kubectl:
    /^(?:apply|create|run|replace|expose|autoscale|label|annotate|cp|attach|certificate|auth reconcile|taint|cordon|rollout (?!status|history))(?: |$|\S)/,
  helm: /^(?:install|upgrade|push|test)(?: |$)/,
  terraform: /^(?:apply|import|state (?:mv|push))(?: |$)/,
  pulumi: /^(?:up|update|import|refresh|stack (?:init|import))(?: |$)/,
  ansible:
    /^(?!.*(?:--check|-C|--list-hosts)(?: |$)).*(?:-m |--module-name[= ])(?!ping|setup|debug|stat)\S|^(?!.*-m ).*(?:-a|--args)/,
  'ansible-playbook': /^(?!.*(?:--check|-C|--syntax-check|--list-\w+)(?: |$)).*\S/,
  gh: /^(?:pr|issue|release|repo|gist|workflow|run|secret|variable|label|cache|codespace|project|discussion|ruleset|ssh-key|gpg-key) (?:add|create|merge|edit|comment|close|reopen|review|ready|upload|fork|sync|rename|archive|set|run|rerun|lock|unlock|transfer|pin|delete|develop|update-branch|import|link|clone --push)(?: |$)/,
  glab: /^(?:mr|issue|release|repo|snippet|ci|variable|label) (?:create|merge|update|note|close|reopen|approve|upload|fork|run|retry|trigger|set|delete)(?: |$)/,
  aws: /^(?:--\S+ \S+ )*(?:s3 (?:cp|sync|mv|mb|website) (?:.* )?s3:\/\/\S+(?: -\S.*)?$|(?!s3 |configure)\S+ (?:create|put|update|run|start|stop|send|invoke|publish|copy|modify|set|add|attach|associate|enable|register|import|restore|tag|untag|change|upload|reboot|execute|apply|authorize|replace|deploy|assign|allocate|release|promote|request|complete|abort|batch-write|transact-write|rotate|cancel)(?:-\S*)?(?: |$))/,
  az: /^(?:\S+ )+(?:create|update|set|start|restart|stop|import|upload(?:-batch)?|invoke|deploy|add|assign|scale|up|enable|regenerate|renew|grant|attach|swap|run|up)(?: |$)/,
  gcloud:
    /^(?:\S+ )+(?:create|update|deploy|set-\S+|add-\S+|patch|enable|start|stop|restart|resize|import|submit|ssh|scp|cp|rsync|publish|promote|call|migrate|attach-\S+|run|execute|restore|clone)(?: |$)/,
  gsutil:
    /^(?:-\S+ )*(?:cp|mv|rsync|mb|setmeta|acl|iam|defacl|web|cors|lifecycle) (?!get)(?:.* )?gs:\/\/\S+$/,
  s3cmd: /^(?:put|sync|mv|cp|mb|setacl|setpolicy|modify)(?: |$)/,
  rclone: /^(?:copy|copyto|move|moveto|mkdir|rcat|touch|settier|copyurl) .*\S+:\S*(?: -\S+)*$/,
  azcopy: /^(?:copy|cp|make|set-properties)(?: |$)/,
  vercel: /^(?:$|deploy|--prod|promote|rollback|alias set|env (?:add|rm))/,
  wrangler:
    /^(?:deploy|publish|rollback|(?:pages|versions) (?:deploy|publish|upload)|secret (?:put|bulk)|(?:kv|r2|d1|queues)\S* .*(?:put|create|execute .*--remote|migrations apply .*--remote))/,
  supabase: /^(?:db push|functions deploy|secrets set|link|migration (?:up|repair) .*--linked)/,
  firebase: /^(?:deploy|hosting:|functions:(?:delete|config:set)|firestore:delete)/,
  heroku:
    /^(?:create|config:set|\S*:(?:add|create|set|push|release|restart|restore|promote|run)|run|restart|releases?:)/,
  mosquitto_pub: /^(?!.*(?:-h|--host)[= ](?:localhost|127\.))/,
  kcat: /(?:^| )-\w*P/,
  kafkacat: /(?:^| )-\w*P/,
  nats: /^(?:pub|publish|req|request|(?:kv|object) (?:put|add|create))(?: |$)/,
  stripe: /^\S+ (?:create|update|confirm|capture|pay|send|post)(?: |$)|^post /,
  twilio: /:(?:create|update|remove)(?: |$)/,
  slack: /^(?:chat|file) (?:send|upload)/,
  cargo: /^owner .*(?:-a|-r|--add|--remove)/,
  npm: /^(?:access|owner|team|org|token|hook|profile|star(?= )|unstar|dist-tag (?:add|rm)) ?(?!ls|list|get)\S/,
  ...Object.fromEntries(
    'fly flyctl netlify cdk cdktf sam serverless sls eb dokku cf railway render amplify copilot skaffold eksctl kamal cap surge gcutil expo eas fastlane nomad argocd flux shuttle deployctl sst'
      .split(' ')
      .map((name) => [
        name,
        new RegExp(
          String.raw`^(?:\S+ ){0,2}?(?:${deploys}|create|launch|submit|scale|restart|sync|bootstrap|run)(?: |$)`,
        ),
      ]),
  ),
};
const sameAs: Readonly<Record<string, string>> = {
  podman: 'docker',
  nerdctl: 'docker',
  k: 'kubectl',
  oc: 'kubectl',
  tofu: 'terraform',
  terragrunt: 'terraform',
  now: 'vercel',
};
/** Among the nouns and verbs, before any option. */
const reads =
  /^(?:[\w.-]+ ){1,4}(?:describe|list|get|show|status|history|logs|view|ls|start-query-execution)\b/;
const mailers = new Set('mail mailx sendmail mutt msmtp swaks s-nail'.split(' '));

const local =
  /^(?:https?:\/\/|wss?:\/\/)?(?:[^/@]*@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|[\w-]+\.localhost|host\.docker\.internal)(?:[:/?]|$)|^:\d*(?:\/|$)/i;
const harmlessMethod = /^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/i;

/** `gh api` posts as soon as it is given a field; what it asks of graphql is in the text. */
function ghRequests(command: SimpleCommand): Arg | undefined {
  if (command.args[0]?.value !== 'api') return undefined;
  const method = optionValues(command, '-X', '--method')[0];
  if (method) return harmlessMethod.test(method.value) ? undefined : method;
  if (/(?:^| )\/?graphql(?: |$)/.test(joined(command)))
    return command.args.find(({ value }) => /\bmutation\b|=@|^--input/.test(value));
  return optionValues(command, '-f', '-F', '--field', '--raw-field', '--input')[0];
}

/** A request that asks a server, other than one of this machine, to change something. */
function requests(command: SimpleCommand): Arg | boolean | undefined {
  if (/^gh$|^glab$/.test(command.name)) return ghRequests(command);
  const plain = operands(
    command,
    '-H --header -o --output -u --user -A -e -b -c -m --max-time -w --write-out -x --cacert --cert --key --retry -a --auth -O -P -T --timeout -t --tries --connect-timeout',
  );
  const methods = optionValues(command, '-X', '--request', '--method');
  const data = optionValues(
    command,
    ...uploadOptions.filter((name) => command.name !== 'wget' || name.startsWith('--')),
    '--data-ascii',
    '--form-string',
  );
  let asked: Arg | undefined = methods.find((arg) => !harmlessMethod.test(arg.value));
  let urls = plain.filter((arg) => arg !== asked && !data.includes(arg));
  if (/^(?:https?|xh|xhs|httpie|curlie)$/.test(command.name)) {
    const verb = /^[A-Z]+$/.test(plain[0]?.value ?? '') ? plain[0] : undefined;
    asked ??= verb
      ? harmlessMethod.test(verb.value)
        ? undefined
        : verb
      : plain.slice(1).find((arg) => /^[\w.[\]-]+:?=(?!=)|^[\w-]+@/.test(arg.value));
    urls = plain.slice(verb ? 1 : 0).slice(0, 1);
  } else {
    const gets = option(command, 'G', 'get') ?? methods.find((arg) => harmlessMethod.test(arg.value));
    asked ??= gets ? undefined : data[0];
  }
  if (!asked) return undefined;
  return urls.length > 0 && urls.every((arg) => local.test(arg.value)) ? undefined : asked;
}

export const outsideRules: readonly CommandRule[] = [
  {
    id: 'user-wide',
    level: 'dangerous',
    sentence: 'Installs or sets something for all that the user or the machine runs, outside the workspace.',
    match: (command, where) => installsForAll(command, where),
  },
  {
    id: 'remote-change',
    level: 'dangerous',
    sentence:
      'Changes or publishes something on a server, in a cluster or a registry, where undo does not reach.',
    needs: ['network'],
    match(command) {
      if (mailers.has(command.name)) return command.args.length > 0;
      const name = sameAs[command.name] ?? command.name;
      if (!Object.hasOwn(remote, name) || isDry(command)) return undefined;
      const text = joined(command);
      if (
        name === 'docker' &&
        /^(?:\S+ )*?(?:-H|--host|--url)[= ]?(?:tcp|ssh|https?):\/\/(?!localhost|127\.)/.test(text)
      )
        return true;
      return remote[name]?.test(text) && !reads.test(text) ? true : undefined;
    },
  },
  {
    id: 'http-change',
    level: 'dangerous',
    sentence: 'Sends data to a server that is not this machine, or asks it to change something.',
    needs: ['network'],
    names: ['curl', 'wget', 'http', 'https', 'xh', 'xhs', 'httpie', 'curlie', 'gh', 'glab'],
    match: requests,
  },
];
