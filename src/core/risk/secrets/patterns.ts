/**
 * What secrets look like. No pattern crosses a line end, and in each the secret itself is the group `s`: the
 * words around it stay readable. Private keys of several lines are handled by the stream.
 */
export interface SecretPattern {
  readonly kind: string;
  readonly source: string;
}

/** Secrets that are known by their own shape, wherever they stand. No white space in them. */
export const shapes: readonly SecretPattern[] = [
  { kind: 'GitHub token', source: 'gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255}' },
  {
    kind: 'GitLab token',
    source: 'gl(?:pat|ptt|dt|rt|cbt|agent|oas|soat|imt|ft)-[A-Za-z0-9_-]{20,100}',
  },
  { kind: 'AWS key id', source: '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}' },
  { kind: 'Google API key', source: 'AIza[A-Za-z0-9_-]{35}' },
  { kind: 'Google token', source: String.raw`ya29\.[A-Za-z0-9_-]{20,500}|GOCSPX-[A-Za-z0-9_-]{20,60}` },
  {
    kind: 'model API key',
    source:
      'sk-(?:ant-|proj-|svcacct-|or-v1-|admin-|live-|lf-)?[A-Za-z0-9_-]{20,300}|gsk_[A-Za-z0-9]{20,100}|xai-[A-Za-z0-9]{20,100}|pplx-[A-Za-z0-9]{20,100}|r8_[A-Za-z0-9]{30,60}|hf_[A-Za-z0-9]{20,100}',
  },
  { kind: 'Slack token', source: 'xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{10,250}' },
  {
    kind: 'Slack webhook',
    source: String.raw`hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,120}`,
  },
  {
    kind: 'Discord webhook',
    source: String.raw`discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[A-Za-z0-9_-]{30,120}`,
  },
  { kind: 'Stripe key', source: '(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,250}' },
  {
    kind: 'package token',
    source:
      'npm_[A-Za-z0-9]{30,100}|pypi-[A-Za-z0-9_-]{40,250}|rubygems_[a-f0-9]{40,60}|cio[A-Za-z0-9]{32}|dckr_pat_[A-Za-z0-9_-]{20,60}',
  },
  {
    kind: 'cloud token',
    source: String.raw`do[opr]_v1_[a-f0-9]{40,80}|dapi[a-f0-9]{32}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|hvs\.[A-Za-z0-9_-]{20,200}|hvb\.[A-Za-z0-9_-]{20,300}|SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}|key-[a-f0-9]{32}|AGE-SECRET-KEY-1[A-Z0-9]{50,60}|ATATT[A-Za-z0-9_=-]{40,250}|lin_api_[A-Za-z0-9]{30,60}|PMAK-[A-Za-z0-9-]{40,80}|EAACEdEose0cBA[A-Za-z0-9]{10,250}|AccountKey=[A-Za-z0-9+/=]{40,100}|tskey-[A-Za-z0-9-]{20,80}|fo1_[A-Za-z0-9_-]{30,60}|sntry[su]_[A-Za-z0-9_=-]{30,250}|glsa_[A-Za-z0-9_]{30,60}|nfp_[A-Za-z0-9]{30,60}|vercel_[A-Za-z0-9]{20,60}`,
  },
  {
    kind: 'JSON web token',
    source: String.raw`eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{5,4000}`,
  },
  { kind: 'Telegram token', source: String.raw`\d{8,10}:AA[A-Za-z0-9_-]{32,34}` },
];

/** What a value may not be: a reference, a placeholder, or a word that is plainly not a secret. */
const notSecret = String.raw`(?![$<{%*]|\[secret\]|\.\.\.|x{4,}|(?:true|false|null|none|undefined|required|missing|invalid|expired|changeme|example|string|process\.env|os\.environ|env|secrets?|password|token|your)\b)`;
const names =
  'passw(?:or)?d|passphrase|passwd|secret|token(?!s|iz|_?(?:count|limit|usage|type|len))|api[-_ ]?key|access[-_]?key|private[-_]?key|signing[-_]?key|encryption[-_]?key|auth[-_]?key|credential';

/** Secrets that are known by the words before them. Matched without regard to case. */
export const contexts: readonly SecretPattern[] = [
  {
    kind: 'authorization header',
    source: String.raw`authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:(?:basic|bearer|token|digest|apikey|negotiate)[ \t]{1,3})?(?<s>${notSecret}(?!(?:basic|bearer|digest|apikey|negotiate)\b)[^\s"',;]{6,4000})`,
  },
  { kind: 'bearer token', source: String.raw`bearer[ \t]{1,3}(?<s>${notSecret}[a-z0-9._~+/=-]{16,4000})` },
  {
    kind: 'session cookie',
    source: String.raw`(?:set-)?cookie["']?[ \t]{0,3}:[ \t]{0,3}(?<s>[^\n\r"']{12,4000})`,
  },
  {
    kind: 'secret value',
    source: String.raw`(?:${names})[a-z0-9_.-]{0,40}["']?[ \t]{0,3}(?:[:=]|=>|:=)[ \t]{0,3}(?:"(?<s1>${notSecret}[^"\n\r]{6,4000})"|'(?<s2>${notSecret}[^'\n\r]{6,4000})'|(?<s3>${notSecret}(?=[^\s"',;&<>(){}[\]|\\]{0,60}\d|[^\s"',;&<>(){}[\]|\\]{12})[^\s"',;&<>(){}[\]|\\]{6,4000}))`,
  },
  {
    kind: 'user and password',
    source: String.raw`(?:^|[ \t])(?:-u|--user)[ \t=]{1,3}["']?[^\s:"'$]{1,80}:(?<s>${notSecret}[^\s"']{4,400})`,
  },
  {
    kind: 'login of a netrc file',
    source: String.raw`login[ \t]{1,3}\S{1,80}[ \t]{1,3}password[ \t]{1,3}(?<s>${notSecret}\S{4,400})`,
  },
  {
    kind: 'secret option',
    source: String.raw`--?[a-z-]{0,30}(?:${names})[a-z-]{0,20}[ \t]{1,3}["']?(?<s>${notSecret}(?!-)[^\s"']{6,4000})`,
  },
];

/** A password in a URL: `scheme://user:password@host`. */
export const urlPassword: SecretPattern = {
  kind: 'password in a URL',
  source: String.raw`:\/\/[^\s/:@"'<>]{0,200}:(?<s>${notSecret}[^\s/@"'<>]{1,500})@`,
};

export const pemBegin = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
export const pemEnd = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
