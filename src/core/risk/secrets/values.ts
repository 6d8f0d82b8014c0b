/** Names of variables that usually hold a secret. */
const secretName =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|APIKEY|CREDENTIALS?|PAT|DSN)(?:_|\d*$)|_(?:KEY|PASS|AUTH)\d*$|^(?:KEY|PASS)$|SECRET|PASSWORD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(?:^|_)TOKEN/i;
const notName =
  /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|XAUTHORITY|GPG_KEY_ID|PUBLIC_KEY|.*_PUBLIC_KEY|.*_KEY_(?:ID|PATH|FILE)|.*_(?:FILE|PATH|DIR|URL_TEMPLATE)|TOKENIZERS_\w+|MAX_\w*TOKENS?\w*|KEYBOARD\w*|.*_PUBLISHABLE_KEY)$/i;

/** Shorter values are everyday words; hiding them would hide the log. */
const shortest = 8;

const isNoise = (value: string): boolean =>
  value.length < shortest ||
  /^(?:true|false|enabled|disabled|undefined|development|production|localhost|password|changeme)$/i.test(
    value,
  ) ||
  /^\d{1,9}$/.test(value) ||
  /^(?:~|\.{1,2}|\/(?:home|usr|etc|var|tmp|opt|root|run|Users|private|mnt|data|dev))\//.test(value);

/** The values in an environment that must not be shown: those of secret-looking names, and passwords in URLs. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    const password = /:\/\/[^\s/:@]*:([^\s/@]+)@/.exec(value)?.[1];
    if (password && !isNoise(password)) values.add(password);
    if (secretName.test(name) && !notName.test(name) && !isNoise(value)) values.add(value);
  }
  return [...values];
}

/** A value and the disguises in which programs print it. Values of several lines are hidden line by line. */
export function variants(values: readonly string[]): string[] {
  const all = new Set<string>();
  for (const value of values) {
    for (const line of value.split(/[\r\n]+/)) {
      const text = line.trim();
      if (text.length < shortest || /^-----/.test(text)) continue;
      all.add(text);
      all.add(JSON.stringify(text).slice(1, -1));
      all.add(encodeURIComponent(text.toWellFormed()));
      for (const encoded of base64(text)) all.add(encoded);
    }
  }
  // Longer ones first, so that a value inside another does not leave its rest behind.
  return [...all].sort((a, b) => b.length - a.length);
}

function base64(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > 4096) return [];
  const plain = btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
  return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')];
}
