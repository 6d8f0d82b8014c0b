import { limited, type SafeCheck } from './types.ts';
import { cli, writes } from './verbs.ts';

export const docker = cli({
  valued: '-l --log-level -f --file -p --project-name --format -n --tail --since --until --filter',
  deny: /^(?:-H|--host|--config|--context|-c)(?:=|$)|^--?(?:output|o|quiet-pull)(?:=|$)/,
  reads: `ps | images | inspect | logs | top | port | stats | events | version | info | history | diff | search | system df | system info | system events
container ls | container list | container ps | container inspect | container logs | container top | container port | container stats | container diff
image ls | image list | image inspect | image history | volume ls | volume list | volume inspect | network ls | network list | network inspect
context ls | context list | context show | context inspect | compose ps | compose logs | compose config | compose images | compose ls | compose top | compose version | compose port
service ls | service ps | service inspect | service logs | stack ls | stack ps | stack services | node ls | node ps | node inspect | secret ls | secret inspect | config ls | config inspect
plugin ls | plugin inspect | buildx ls | buildx inspect | buildx du | buildx version | manifest inspect | trust inspect`,
});

export const kubectl: SafeCheck = (command, scope) => {
  const values = command.args.map((arg) => arg.value);
  const fromFile =
    values.some((value) => /^(?:-f|-k|--filename|--kustomize)(?:=|$)/.test(value)) && values.includes('get');
  const secret =
    values.some((value) => /^secrets?(?:[/,.]|$)|,secrets?\b/.test(value)) &&
    values.some((value) => /^(?:-o|--output|-oyaml|-ojson|--template|-o\S+|--output=.*)$/.test(value)) &&
    !/^(?:name|wide)$/.test(values[values.findIndex((value) => /^(?:-o|--output)$/.test(value)) + 1] ?? '');
  return !secret && !fromFile && kubectlReads(command, scope);
};
const kubectlReads = cli({
  valued:
    '-n --namespace --context --cluster --user -o --output -l --selector -c --container --tail --since -f --field-selector --sort-by',
  deny: /^--(?:kubeconfig|raw|as|as-group|token|server|certificate-authority|insecure-skip-tls-verify|cache-dir|profile-output)(?:=|$)|^-s$/,
  reads:
    'get | describe | logs | top | version | explain | api-resources | api-versions | cluster-info | auth can-i | auth whoami | rollout status | rollout history | config view | config current-context | config get-contexts | config get-clusters | config get-users | plugin list | completion | diff | events',
});

export const aws: SafeCheck = (command) => {
  if (
    command.open ||
    command.args.some(
      (arg) => !arg.literal || arg.glob || (writes.test(arg.value) && !/^--output$/.test(arg.value)),
    )
  )
    return false;
  const valued = new Set(
    '--profile --region --output --query --color --cli-connect-timeout --cli-read-timeout --page-size --max-items'.split(
      ' ',
    ),
  );
  const words: string[] = [];
  for (let i = 0; i < command.args.length; i++) {
    const value = command.args[i]?.value ?? '';
    if (valued.has(value)) i++;
    else if (!value.startsWith('-')) words.push(value);
    else if (words.length < 2) return false;
    else break;
  }
  const [service, verb, extra] = words;
  if (!service || !verb) return false;
  if (service === 's3') return verb === 'ls';
  if (service === 'configure') return verb === 'list' || verb === 'list-profiles';
  if (extra !== undefined) return false;
  if (service === 'logs' && verb === 'tail') return true;
  const secret =
    /(?:secret-value|session-token|federation-token|login-password|authorization-token|credentials|random-password|password-data|parameter|role-credentials|cluster-credentials|access-token|get-object|get-object-torrent|get-export|get-sdk|plaintext|authorization-data|-access-key|get-function$|get-function-configuration|get-secret|job-output|get-media|get-clip|thing-shadow|raw-message|version-asset|work-unit|get-configuration$|latest-configuration|get-layer-version$)/;
  if (/^get-parameters?(?:-|$)/.test(verb)) return verb === 'get-parameters-by-path';
  return (
    /^(?:admin-|batch-)?(?:describe|list|get|head|lookup|search|estimate|simulate|validate|preview|count|detect-stack\S*)(?:-|$)/.test(
      verb,
    ) && !secret.test(verb)
  );
};

const az = cli({
  valued: '--subscription --query -o --output -g --resource-group -n --name --output',
  deny: /^(?:--file|-f|-d|--destination|--save-to|--output-file|--uri|--url)(?:=|$)/,
  reads: 'version | find',
});
export const azVerbs: SafeCheck = (command, scope) => {
  if (az(command, scope)) return true;
  if (command.open || command.args.some((arg) => !arg.literal || arg.glob)) return false;
  const nouns: string[] = [];
  for (let i = 0; i < command.args.length; i++) {
    const value = command.args[i]?.value ?? '';
    if (value.startsWith('-')) {
      if (nouns.length > 0) break;
      i++;
    } else nouns.push(value);
  }
  const verb = nouns.find((word) =>
    /^(?:list|show)(?:-(?!keys|connection-string|credentials|publishing|admin|secrets?|token)[\w-]+)?$/.test(
      word,
    ),
  );
  const at = verb === undefined ? -1 : nouns.indexOf(verb);
  const secrets =
    nouns
      .slice(0, at)
      .some((word) =>
        /^(?:secret|keys?|credential|connection-string|appsettings|login|auth|rest|invoke)$/.test(word),
      ) && verb !== 'list';
  const before = nouns
    .slice(0, at)
    .every(
      (word) =>
        !/^(?:create|delete|update|set|add|remove|start|stop|restart|purge|run|run-command|invoke|upload|download|copy|import|export|reset|renew|regenerate|login|logout|configure|deploy|deallocate|generalize|capture|convert|redeploy|reapply|reimage|resize|open-port|failover|swap|sync|attach|detach|enable|disable|approve|reject|cancel|move|lock|unlock|wait|resume|pause|suspend|rotate|recover|restore|backup|undelete|assign|unassign|grant|revoke|register|unregister|link|unlink|up|down|push|pull|build|browse|ssh|exec|scale|upgrade|rollback|publish|unpublish|perform-maintenance|install-patches|simulate-eviction)$/.test(
          word,
        ),
    );
  return (
    at > 0 &&
    at >= nouns.length - 2 &&
    before &&
    !secrets &&
    !command.args.some((arg) => /^(?:--file|--output-file|--include-secrets?)(?:=|$)/.test(arg.value))
  );
};

/** Groups of gcloud that are not plural; a word before the verb that is neither is itself a verb. */
const gcloudGroups = new Set(
  'alpha beta compute container iam run sql dns kms app config logging monitoring pubsub artifacts docker iap network-security certificate-manager apigee dataproc dataflow composer spanner bigtable redis memcache filestore source ai ml-engine asset scheduler tasks workflows eventarc  policy-intelligence resource-manager billing'.split(
    ' ',
  ),
);
const isNoun = (word: string): boolean =>
  gcloudGroups.has(word) ||
  /^(?!(?:add|remove|set|attach|detach|move|access|create|delete|update|export|import|reset|start|stop)(?:-|$))[a-z][a-z0-9-]*s$/.test(
    word,
  );

export const gcloud: SafeCheck = (command) => {
  const denied = /^--(?:configuration|access-token-file|impersonate\S*|flags-file|log-http|account|trace\S*)/;
  if (command.open || command.args.some((arg) => !arg.literal || arg.glob || denied.test(arg.value)))
    return false;
  const words = command.args.map((arg) => arg.value).filter((value) => !value.startsWith('-'));
  const [first, second, third] = words;
  if (first === 'help' || first === 'info' || first === 'version') return true;
  if (first === 'auth') return second === 'list';
  if (first === 'storage')
    return second === 'ls' || (second === 'buckets' && /^(?:list|describe)$/.test(third ?? ''));
  const at = words.findIndex((word) => /^(?:list|describe|get-iam-policy|get|read|get-value)$/.test(word));
  return at > 0 && at < 5 && words.slice(0, at).every(isNoun);
};

const gh = cli({
  valued:
    '-R --repo --hostname -L --limit -l --label --json --jq -q --template -t -B --base -H --head -A --author -S --search -s --state -b --branch -w --workflow -e --env',
  deny: /^(?:-w|--web|-D|--dir|-O|--output|-p|--pattern|--show-token|-t$|--clobber)(?:=|$)/,
  reads: `pr list | pr view | pr status | pr diff | pr checks | issue list | issue view | issue status | repo list | repo view | run list | run view | run watch | workflow list | workflow view
release list | release view | gist list | gist view | search * | cache list | secret list | variable list | label list | auth status | codespace list | cs list | extension list | extension search | ext list
ssh-key list | gpg-key list | project list | project view | project field-list | project item-list | org list | ruleset list | ruleset view | ruleset check | status | version | alias list | config list | config get | completion | attestation verify`,
});
export const ghApi: SafeCheck = (command, scope) =>
  gh(command, scope) ||
  (command.args[0]?.value === 'api' &&
    limited({
      options: /^(?:-X|--method|--paginate|-q|--jq|-H|--header|-i|--include|--cache|--slurp)$/,
      valued: '-X --method -q --jq -H --header --cache',
      maxOperands: 2,
    })(command) &&
    command.args.every(
      (arg, i) => !/^(?:-X|--method)$/.test(command.args[i - 1]?.value ?? '') || /^GET$/i.test(arg.value),
    ) &&
    !command.args.some((arg) => arg.value === 'graphql'));

export const helm = cli({
  valued:
    '-n --namespace --kube-context -o --output --max-col-width --version --set -f --values --revision -l',
  deny: /^--(?:kubeconfig|post-renderer|output-dir|kube-apiserver|kube-token|validate|dependency-update|registry-config|repository-config)(?:=|$)/,
  reads:
    'list | ls | status | history | get all | get values | get manifest | get notes | get hooks | get metadata | show all | show chart | show readme | show values | show crds | search hub | search repo | repo list | repo ls | plugin list | plugin ls | version | env | lint | template | completion | dependency list',
});

export const terraform: SafeCheck = cli({
  deny: /^-(?:chdir|out|plugin-dir|backend-config|generate-config-out|write|upgrade)(?:=|$)/,
  reads:
    'version | show | state list | state show | providers | graph | validate | workspace list | workspace show | metadata functions | modules',
});

export const brew = cli({
  deny: /^--(?:fetch-HEAD|installed-as-root|eval-all|online|git|debug-symbols)(?:=|$)/,
  reads:
    'info | list | ls | search | deps | leaves | uses | outdated | tap-info | casks | formulae | log | cat | commands | help | config | desc | missing | options | shellenv | bundle list | bundle check | doctor | dr',
});
