import { gitVerb, isDry, joined, optionValues } from '../args.ts';
import { isOutside } from '../paths.ts';
import type { CommandRule, SimpleCommand, Where } from '../types.ts';

/** What the whole user or the machine shares, where no checkpoint reaches: programs, settings, services. */

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
  // What they `use` holds for the session alone.
  nvm: new RegExp(`^(?!use )${use}(?: |$)`),
  fnm: new RegExp(`^(?!use )${use}(?: |$)`),
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
    `^config (?:${changes}|configurations (?:create|activate|delete))|^auth (?:login|revoke|activate|application-default login|configure-docker)|^init|^components (?:install|update|remove)|^container clusters get-credentials`,
  ),
  kind: /^export kubeconfig/,
  az: /^aks get-credentials|^(?:login|logout|configure|config (?:set|unset)|account (?:set|clear)|extension (?:add|remove|update))(?: |$)/,
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

/** A program of an environment of its own, such as `.venv/bin/python`: what it installs goes there. */
export const isOfEnvironment = ({ path }: Pick<SimpleCommand, 'path'>, where: Where): boolean =>
  path.includes('/') && !isOutside(path, where);

function installsByPip(command: SimpleCommand, where: Where): boolean {
  const pip = asPip(command) as SimpleCommand;
  if (isDry(pip)) return false;
  const text = joined(pip);
  if (shared['pip']?.test(text)) return true;
  const own =
    isOfEnvironment(command, where) || optionValues(pip, '-t', '--target', '--prefix', '--root').length > 0;
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

export const userWideRules: readonly CommandRule[] = [
  {
    id: 'user-wide',
    level: 'dangerous',
    sentence: 'Installs or sets something for all that the user or the machine runs, outside the workspace.',
    match: (command, where) => installsForAll(command, where),
  },
];
