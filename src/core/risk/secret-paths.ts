import { resolvePath } from './paths.ts';
import type { RuleInfo, Where } from './types.ts';

/** Files whose content is a secret. */
const secret = new RegExp(
  [
    String.raw`(?:^|/)\.ssh/(?!config$|known_hosts|authorized_keys|[^/]*\.pub$)[^/]+$`,
    String.raw`(?:^|/)(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?!\.pub$)(?:[.\-_][\w.-]+)?)$`,
    String.raw`(?:^|/)\.(?:ssh|aws|gnupg|kube|azure|password-store)(?:/\*?)?$`,
    String.raw`(?:^|/)\.aws/(?:credentials|sso/cache|cli/cache)`,
    String.raw`(?:^|/)\.(?:env|envrc)$`,
    String.raw`(?:^|/)\.env\.(?!example|sample|template|dist|defaults?|schema|test$)[\w.-]+$`,
    String.raw`(?:^|/)(?:\.netrc|_netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.vault-token|\.dockercfg|\.boto|\.s3cfg)$`,
    String.raw`(?:^|/)(?:\.rclone\.conf|\.mylogin\.cnf|\.msmtprc|\.fetchmailrc|\.offlineimaprc|\.authinfo|\.smbcredentials|\.databrickscfg|\.terraformrc|\.condarc|\.wakatime\.cfg|\.vault_pass\w*|kaggle\.json|\.claude\.json|\.credentials\.json|sitemanager\.xml|terraform\.tfstate(?:\.backup)?|debian\.cnf|wpa_supplicant\.conf|[^/]+\.nmconnection|[^/]+\.keyring)$`,
    String.raw`^~/\.(?:gradle/gradle\.properties|bundle/config|yarnrc\.yml|(?:config/)?pip/pip\.conf|nuget/NuGet/|snowsql/config|subversion/auth/|cache/huggingface/token|config/(?:ngrok|solana|stripe|configstore|netlify)/|ngrok2/|electrum/wallets|ethereum/keystore|purple/accounts|local/share/keyrings|mozilla/firefox/)`,
    String.raw`(?:^|/)planwright/keys\.json$`,
    String.raw`(?:^|/)\.docker/config\.json$`,
    String.raw`(?:^|/)\.kube/(?:config|cache)`,
    '^/etc/(?:kubernetes/|rancher/|docker/key|ppp/chap|wireguard/|openvpn/|letsencrypt/(?:live|archive|keys))',
    String.raw`(?:^|/)\.(?:config|local/share)/[^/]+/(?:auth|credentials?|tokens?|secrets?|hosts|access_tokens?)(?:\.(?:toml|json|ya?ml|db|ini))?$`,
    String.raw`(?:^|/)(?:auth|\.auth|access[-_]?tokens?|tokens?)\.(?:toml|json)$`,
    String.raw`(?:^|/)\.config/(?:gcloud|gh/hosts|glab-cli|containers/auth|rclone|doctl|hub$|op|heroku|fly|netlify|sops)`,
    String.raw`(?:^|/)\.(?:azure|gnupg|password-store|terraform\.d|fly|oci|bitwarden|1password|cargo/credentials|gem/credentials|m2/settings)(?:/|$|\.)`,
    String.raw`(?:^|/)(?:application_default_credentials|service[-_]?account[\w-]*|client_secret[\w-]*)\.json$`,
    String.raw`(?:^|/)(?:credentials|secrets?|passwords?)(?:\.(?:json|ya?ml|toml|ini|txt|env|csv|enc|properties|db))?$`,
    String.raw`\.(?:key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|keychain(?:-db)?)$`,
    String.raw`(?:^|/)(?:private|priv|server|client|ca)[-_]?key[\w.-]*\.pem$|(?:^|/)[\w.-]*private[\w.-]*\.pem$`,
    String.raw`(?:^|/)key\.pem$`,
    '/Library/Keychains(?:/|$)',
    String.raw`^/etc/(?:shadow|gshadow|sudoers|master\.passwd|krb5\.keytab|ssl/private|ssh/ssh_host_\w+key$)`,
    String.raw`^/proc/(?:self|\d+|\*|\$\$)/(?:environ|mem|cmdline)$`,
    String.raw`(?:^|/)\.(?:bash|zsh|python|psql|mysql|node_repl|rediscli|sqlite|irb)_?history$|(?:^|/)\.(?:lesshst|viminfo)$|fish_history$`,
    String.raw`/(?:Login Data|Cookies|logins\.json|key4\.db|cookies\.sqlite|wallet\.dat)$`,
    String.raw`(?:^|/)(?:kubernetes\.io/serviceaccount|run/secrets)/`,
  ].join('|'),
);

/** Folders that usually hold keys; only worth a word where their content leaves the machine. */
const keyFolder =
  /(?:^|\/)(?:certs?|certificates|keys|secrets?|credentials|private|\.ssh|\.aws|\.gnupg|\.kube|\.azure)(?:\/|$)/;

/** Well-known secrets, for asking whether a glob could match one. */
const samples = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '~/.ssh/id_rsa',
  '~/.ssh/id_ed25519',
  '~/.aws/credentials',
  '~/.netrc',
  '~/.npmrc',
  '~/.pgpass',
  '~/.bash_history',
  '~/.zsh_history',
  '~/.kube/config',
  '~/.docker/config.json',
  '~/.git-credentials',
  '.env',
  '.env.local',
  '.env.production',
  '.npmrc',
  '.netrc',
  'id_rsa',
  'id_ed25519',
  'server.key',
  'credentials.json',
  'secrets.yaml',
];

export function isSecret(path: string, where: Where): boolean {
  const bare = path.replace(/^file:\/{0,2}(?=\/|~)/i, '').replace(/^@/, '');
  if (bare === '' || bare.length > 4096) return false;
  const full = resolvePath(bare, where);
  if (secret.test(full)) return true;
  const { configDir } = where.context;
  if (configDir && full === `${resolvePath(configDir, where)}/keys.json`) return true;
  return /[*?[]/.test(bare) && matchesSample(bare, full);
}

/** A file of a workspace, by its absolute path. */
export const isSecretFile = (path: string, workspace: string): boolean =>
  isSecret(path, { context: { workspace }, cwd: workspace });

export const isKeyFolder = (path: string): boolean => keyFolder.test(path.replace(/^@/, ''));

function matchesSample(path: string, full: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const start = name.slice(0, name.search(/[*?[]/));
  if (
    start.length >= 3 &&
    samples.some((sample) => sample.slice(sample.lastIndexOf('/') + 1).startsWith(start))
  )
    return true;
  const folder = full.slice(0, full.lastIndexOf('/') + 1);
  // A glob that stands alone (`*`, `*.txt`) is judged by its name; one in a folder by the whole path.
  const pattern = globPattern(full);
  const hidden = /(?:^|\/)\.[^/]*[*?[]/.test(path) || folder.startsWith('/etc') || folder.startsWith('~');
  return samples.some((sample) => pattern.test(sample)) && (hidden || !/^\*?(?:\.\*|\.\w+)?$/.test(path));
}

function globPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/\[!/g, '[^');
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return /^/;
  }
}

export const secretRead: RuleInfo = {
  id: 'secret-read',
  level: 'dangerous',
  sentence: 'Reads or copies a secret: a private key, credentials, an environment file or a shell history.',
};
