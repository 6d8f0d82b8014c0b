import { resolvePath } from '../paths.ts';
import { isSecret } from '../secret-paths.ts';
import { isInside } from './trust.ts';
import type { ValueKind } from './types.ts';

const like =
  (pattern: RegExp): ValueKind =>
  (value) =>
    pattern.test(value);

/** What the kernel tells of the machine; the rest of /proc leads to environments, memory and every other file. */
const told =
  /^\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|mounts|filesystems|stat|swaps|partitions|modules|devices|interrupts|vmstat|diskstats|cmdline|net\/\w+|sys\/[\w/.-]+|(?:self|\d+)\/(?:status|limits|stat|statm|mounts|io))$/;

/** Hidden files of a home are where programs keep tokens: only of these is it known that they hold none. */
const settings =
  /^~\/\.(?:(?:bash|zsh|k|csh|tcsh|fish|vim|nvim|input|screen|nano|digrc|asdf|tool-versions|gitconfig|gitignore\w*|gitattributes|profile|bash_profile|bash_login|bash_logout|bash_aliases|zprofile|zshenv|zlogin|zlogout|aliases|editorconfig|tmux\.conf|Xresources|xinitrc|hushlogin|face|dircolors|selected_editor)(?:rc)?$|ssh\/(?:config|known_hosts\w*|authorized_keys|[^/]+\.pub)$|config\/(?:git|nvim|fish|alacritty|kitty|tmux|starship\.toml|htop|bat|i3|sway|user-dirs\.dirs|zed|helix)(?:\/|$)|local\/bin\/|cargo\/(?:env|config(?:\.toml)?)$|pyenv\/version$|nvm\/)/;

/** A file whose content may be shown. Whether an operand is a secret is for the rules to say. */
export const isShown: ValueKind = (value, scope) => {
  const path = resolvePath(value, scope);
  if (path.startsWith('/dev/')) return /^\/dev\/(?:null|stdin|fd\/0)$/.test(path);
  if (path.startsWith('~/.') && !settings.test(path) && !isInside(value, scope)) return false;
  return !/^\/(?:proc|inet)(?:\/|$)/.test(path) || told.test(path);
};

/** A pattern names what its text does not: outside the workspace only where no secrets are at home. */
export const isShownPattern: ValueKind = (value, scope) =>
  isInside(value, scope) || /^\/(?:usr|etc|opt|sys|var\/log)\/[^*?[]*[^/]*$/.test(resolvePath(value, scope));

const host = String.raw`(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|(?!169\.254\.|100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192|0)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|(?!metadata\b|instance-data)(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?|\[::1\])`;
/** Clouds tell whoever asks who they are, and hand out keys, at these names. */
const metadata =
  /169\.254|\.internal(?:[:/?#]|$)|^(?:\w+:\/\/)?(?:metadata|instance-data)|^(?:dict|ldap|imap|smtp|pop3)\./i;
const url = new RegExp(`^(?:(?:https?|ftps?)://)?${host}(?::\\d+)?(?:[/?#][^\\s\\\\]*)?$`, 'i');

/** Kinds that every table may use. A table brings others of its own. */
export const kinds: Readonly<Record<string, ValueKind>> = {
  '': () => true,
  file: (value, scope) => isShown(value, scope) && !isSecret(value, scope),
  files: isShown,
  /** The same, of a program for which `+` begins a command and `@` a list of options. */
  shown: (value, scope) => !/^[+@]/.test(value) && isShown(value, scope),
  /** How many at once: not as many as there are. */
  few: like(/^[1-9]\d?$/),
  int: like(/^\d+$/),
  num: like(/^[-+]?\d[\d.,]*[A-Za-z%]{0,3}$/),
  /** A name, a version, a list of either: no path, nothing with a scheme. */
  name: like(/^[\w%+^~][\w.:@%+,=^~{}-]*$/),
  /** A package as registries know it. `a/b` without `@` would be a repository to fetch, and build. */
  package: like(/^(?:@[\w.-]+\/)?\w[\w.-]*(?:@[\w.^~<>=*+-]*)?$/),
  /** Anything that the program opens as nothing. */
  words: () => true,
  /** Nowhere but to the terminal. */
  out: like(/^(?:-|\/dev\/null|\/dev\/stdout)$/),
  url: (value) => url.test(value) && !metadata.test(value),
  host: (value) => new RegExp(`^${host}$`, 'i').test(value) && !metadata.test(value),
  /** A file here, not an address or a key store. */
  local: like(/^(?!\w[\w+.-]*:)/),
  /** A filter that does not ask for the environment. */
  jq: like(/^(?!.*(?<![.\w])env\b)(?!.*\$(?:ENV|[\s#]))/s),
  /** No pager. */
  pager: like(/^never$/),
  sort: like(/^[\w.,:[\]{}+-]+$/),
};
