import { programs, type Row, verbs } from '../table.ts';
import type { Reading } from '../types.ts';

/** Clouds: what lists and describes, and shows no key. Their options are a table too: none names a file or a server. */

/** Nouns whose listing is the secret itself. */
const secretNoun =
  /(?:^|-)(?:keys?|tokens?|passwords?|credentials?|secrets?|connection-strings?|authorization|auth|login|access-details|instance-access|compute-access|device-identity|user-?data|appsettings|certificate-export|publishing|plaintext)(?:-|$)/;

/** A value that is text: no file is read for it, and no address asked. */
const text = /^(?!.*(?:file|fileb|https?):\/\/)(?!@)/is;

const awsReads =
  /^(?:admin-|batch-)?(?:describe|list|get|head|lookup|search|count|simulate|estimate|detect|filter-log-events|test-dns-answer)(?:-[a-z0-9]+)*$/;
/** Verbs whose noun says secret, and that show only its name, its rules or who has it. */
const awsShown =
  /^(?:list-secrets|describe-secret|list-secret-version-ids|list-ssh-public-keys|list-server-certificates|list-signing-certificates|get-account-password-policy|get-account-authorization-details|list-vpc-association-authorizations|admin-list-user-auth-events|describe-key|list-keys|describe-key-pairs|list-access-keys|get-api-keys)$/;
const awsDenied =
  /^(?:get-(?:object|object-torrent|parameters?|parameter-history|parameters-by-path|function|function-configuration|layer-version|layer-version-by-arn|export|sdk|media|clip|raw-message-content|session-token|federation-token|role-credentials|job-output|open-id-token\S*|work-unit\S*|thing-shadow|latest-configuration|configuration|console-screenshot|records|shard-records|instance-access-details|launch-template-data|connections?|app|relational-database-master-user-password|id|workflow\S*)|describe-instance-attribute|describe-launch-template-versions|describe-user-data|describe-launch-configurations|describe-vpn-connections|describe-user-pool-client|describe-identity-provider|describe-configuration-settings|batch-get-projects|batch-get-secret-value)$/;
const aws = programs(
  `
  aws ; --profile=name --region=name --output=name --query=text --color=name --no-cli-pager --no-paginate --page-size=num
    --max-items=num --max-results=num --starting-token=text --next-token=text --cli-connect-timeout=num
    --cli-read-timeout=num --filters=text --filter=text --no-include-deprecated --include-deprecated --recursive
    --human-readable --summarize --follow --since=text --format=name --start-time=text --end-time=text --period=num
    --statistics=text --namespace=text --metric-name=text --dimensions=text --bucket=text --prefix=text --delimiter=text
    --path=path --path-prefix=path --id=text --ids=text --name=text --names=text --version=text --scope=name --state=name
    --status=name --state-filter=name --work-group=text --username=text --user-name=text --identifier=text
    --identities=text --owners=name --executable-users=name --http-method=name --patch-group=text --queue-url=queue
    --attribute-names=text --registry-id=name --identity-provider-config=text --shard-iterator-type=name
    --log-group-name-prefix=text --log-stream-name-prefix=text --filter-pattern=text --key=text --hosted-zone-id=text
    --work-group=text --scan-by=name --order-by=name --descending --types=text --resource=text --target=text
    ${[
      'stack',
      'function',
      'cluster',
      'role',
      'group',
      'policy',
      'table',
      'global-table',
      'stream',
      'topic',
      'queue',
      'repository',
      'log-group',
      'log-stream',
      'service',
      'task-definition',
      'alarm',
      'stage',
      'layer',
      'db-cluster',
      'domain',
      'database',
      'catalog',
      'distribution',
      'instance-profile',
      'fargate-profile',
      'nodegroup',
      'addon',
      'configuration-set',
      'capacity-reservation',
      'consumer',
      'type',
      'change-set',
      'stack-set',
      'rule',
      'document',
      'metric-stream',
      'load-balancer',
      'target-group',
      'launch-configuration',
      'auto-scaling-group',
      'environment',
      'application',
      'project',
      'pipeline',
      'bucket',
      'state-machine',
      'execution',
      'vault',
      'key',
      'user',
      'prepared-statement',
      'action',
    ]
      .flatMap((noun) => [
        `--${noun}-name=text`,
        `--${noun}-names=text`,
        `--${noun}-arn=text`,
        `--${noun}-arns=text`,
      ])
      .join(' ')}
    ${[
      'instance',
      'volume',
      'snapshot',
      'image',
      'vpc',
      'subnet',
      'group',
      'owner',
      'user-pool',
      'rest-api',
      'api',
      'resource',
      'route',
      'integration',
      'deployment',
      'health-check',
      'window',
      'query',
      'query-execution',
      'named-query',
      'session',
      'shard',
      'collection',
      'calculation-execution',
      'notebook',
      'automation-execution',
      'ops-item',
      'logical-resource',
      'physical-resource',
      'version',
      'secret',
      'key',
      'distribution',
      'account',
      'network-interface',
      'security-group',
      'route-table',
      'internet-gateway',
      'nat-gateway',
      'allocation',
      'reservation',
      'task',
      'cache-cluster',
      'file-system',
      'db-snapshot',
      'client',
      'identity-pool',
      'stack',
      'policy',
    ]
      .flatMap((noun) => [`--${noun}-id=text`, `--${noun}-ids=text`])
      .join(' ')}
    --db-instance-identifier=text --db-cluster-identifier=text --db-snapshot-identifier=text --resource-type=text --db-parameter-group-name=text --record-name=text --record-type=name
    --resource-types=text --resource-arn=text --resource-arns=text --stream-arn=text --topic-arn=text --endpoint-arn=text
    --platform-application-arn=text --policy-source-arn=text --principal-arn=text --load-balancer-arns=text ; words
`,
  {
    kinds: { text, path: /^\/[\w./-]*$/, queue: /^https:\/\/[\w.-]+(?:\/[\w./-]*)?$/, words: text },
    also: ({ operands }) => readsAws(operands.map((arg) => arg.value)),
  },
);
function readsAws([service = '', verb = '', ...rest]: readonly string[]): boolean {
  if (service === 's3')
    return verb === 'ls' && rest.length <= 1 && /^(?:s3:\/\/[\w./-]*|[\w.-]*)$/.test(rest[0] ?? '');
  if (service === 'configure') return /^list(?:-profiles)?$/.test(verb) && rest.length === 0;
  if (service === 'logs' && verb === 'tail') return rest.length <= 1;
  if (service === 'sts') return verb === 'get-caller-identity' && rest.length === 0;
  if (!/^[a-z][a-z0-9-]+$/.test(service) || !awsReads.test(verb)) return false;
  // The further values of an option, as of `--instance-ids a b`. A file to write would look the same, where one is taken.
  if (
    !rest.every((word) => /^[\w:=,.*{}-]+$/.test(word)) ||
    (rest.length > 0 && !/^(?:describe|list|batch|simulate)/.test(verb))
  )
    return rest.length === 1 && rest[0] === 'All' && verb === 'get-queue-attributes';
  return !awsDenied.test(verb) && (awsShown.test(verb) || !secretNoun.test(verb));
}

/** Words of az and of gcloud: nouns, then one verb that reads; behind it at most one name. */
const azNoun =
  /^(?!(?:create|delete|update|set|add|remove|start|stop|restart|purge|run|run-command|invoke|upload|download|copy|import|export|reset|renew|regenerate|login|logout|configure|deploy|capture|convert|resize|failover|swap|sync|attach|detach|enable|disable|approve|reject|cancel|move|wait|resume|pause|rotate|recover|restore|backup|assign|grant|revoke|register|link|up|down|push|pull|build|browse|ssh|exec|scale|upgrade|rollback|publish|rest|unset|interactive|feedback|find|init|kv)$)[a-z][a-z0-9-]*$/;
const az = programs(
  `
  az ; --subscription=text --query=text -gno=text --resource-group=text --name=text --output=name --only-show-errors
    --account-name=text --all --assignee=text --auth-mode=name --cluster-name=text -c=text --container-name=text
    --deployment-name=text --function-name=text --group=text --group-id=text --id=text --ids=text -l=text
    --location=text --namespace-name=text --nsg-name=text --orderby=text --organization=org --os-type=name -p=text
    --pipeline-id=text --project=text --repository=text --resource=text --resource-type=text --server=text
    --topic-name=text --type=text --urn=text --vault-name=text --vnet-name=text --workspace-name=text --top=num
    --show-details -d --expand=name --filter=text --tag=text --registry=text --image=text --plan=text --detail
    --include-inherited --scope=text --role=text --publisher=text --offer=text --sku=text --metric=text
    --start-time=text --end-time=text --interval=text --factory-name=text --lb-name=text --zone-name=text
    --service-name=text --database-name=text --nodepool-name=text ; words
`,
  { kinds: { text, org: /^https:\/\/dev\.azure\.com\/[\w-]+\/?$/, words: /^[a-z]/ }, also: readsAz },
);
function readsAz({ operands }: Reading): boolean {
  const words = operands.map((arg) => arg.value);
  const verb = words.at(-1) ?? '';
  const nouns = words.slice(0, -1);
  if (words.length === 1) return verb === 'version';
  if (
    !/^(?:(?:list|show)(?:-[a-z-]+)?|exists|get-versions|get-upgrades|summarize)$/.test(verb) ||
    secretNoun.test(verb)
  )
    return false;
  // Vaults list the names of their secrets.
  const isNames = /^keyvault (?:secret|key|certificate)$/.test(nouns.join(' ')) && verb === 'list';
  return nouns.every((noun) => azNoun.test(noun) && (isNames || !secretNoun.test(noun))) && words.length <= 6;
}

/** Groups and resources of gcloud, singular and plural. A word that is none of them may be a verb. */
const gcloudNouns = new Set(
  `alpha beta compute container iam run sql dns kms app config logging monitoring pubsub artifacts docker iap network-security
  certificate-manager apigee dataproc dataflow composer spanner bigtable redis memcache filestore source ai asset scheduler
  tasks workflows eventarc resource-manager billing functions projects folders organizations services revisions jobs
  executions instances disks snapshots images machine-types regions zones networks subnets routes routers addresses
  firewall-rules forwarding-rules backend-services backend-buckets health-checks target-pools url-maps ssl-certificates
  instance-groups instance-templates clusters node-pools operations repositories packages tags versions files configurations
  databases backups topics subscriptions schemas managed-zones record-sets keyrings keys locations roles service-accounts
  secrets queues logs sinks metrics buckets dashboards certificates maps trust-configs gateway-security-policies environments
  products developers apis deployments accounts policies settings web components domains triggers indexes models endpoints
  datasets connectors reservations commitments interconnects vpn-tunnels vpn-gateways security-policies users
  workload-identity-pools features namespaces pods quotas`.split(/\s+/),
);
const gcloud = programs(
  `
  gcloud ; --project=text --format=text --filter=text --limit=num --page-size=num --sort-by=text --quiet -q --region=text
    --zone=text --zones=text --regions=text --location=text --global --uri --cluster=text --instance=text --service=text
    --organization=text --folder=text --bucket=text --keyring=text --secret=text --iam-account=text --dataset=text
    --environment=text --repository=text --topic=text --freshness=text --order=name --resource-type=name --all
    --flatten=text --managed --platform=name --version=text --network=text --database=text ; words
`,
  { kinds: { text, words: text }, also: readsGcloud },
);
function readsGcloud({ operands }: Reading): boolean {
  const words = operands.map((arg) => arg.value);
  const [first = '', second, third] = words;
  if (first === 'help') return words.every((word) => /^[a-z-]+$/.test(word));
  if (words.length === 1) return first === 'version' || first === 'info';
  if (first === 'auth') return second === 'list' && words.length === 2;
  if (first === 'config')
    return (second === 'list' || second === 'get' || second === 'get-value') && words.length <= 3;
  if (first === 'storage')
    return (
      (second === 'ls' || (second === 'buckets' && /^(?:list|describe)$/.test(third ?? ''))) &&
      words.length <= 4
    );
  const at = words.findIndex((word) => /^(?:list|describe|get-iam-policy|get|read)$/.test(word));
  return (
    at > 0 && at < 5 && words.length <= at + 2 && words.slice(0, at).every((word) => gcloudNouns.has(word))
  );
}

const gh = verbs(
  'gh',
  '-R=repo --repo=repo',
  `
  pr list, issue list ; -ABlLsSaH= --assignee= --author= --base= --draft --head= --label= --limit=num --search= --state=name
    --json=name --jq=jq -q=jq --template= --milestone= -m= --mention= --app=
  pr view, issue view ; -c --comments --json=name --jq=jq -q=jq --template= ; item 1
  pr status, issue status, status ; --json=name --jq=jq -q=jq -c --conflict-status -eo=
  pr diff ; --name-only --patch --color=name ; item 1
  pr checks ; --json=name --jq=jq --required --watch --interval=num -i=num --fail-fast ; item 1
  repo list ; -lL= --limit=num --language= --fork --source --topic= --visibility=name --archived --no-archived --json=name --jq=jq ; item 1
  repo view ; -b= --branch= --json=name --jq=jq -q=jq --template= ; item 1
  run list ; -abceLsuw= --all --branch= --commit= --created= --event= --limit=num --status=name --user= --workflow= --json=name --jq=jq
  run view ; -aj= -v --attempt=num --exit-status --job= --json=name --jq=jq --log --log-failed --verbose ; item 1
  run watch ; -i=num --interval=num --exit-status --compact ; item 1
  workflow list, release list, gist list, cache list, label list, variable list, secret list, ssh-key list, gpg-key list, codespace list, codespace ports, codespace view, cs list, project list, project field-list, project item-list, org list, ruleset list, extension list, ext list, alias list, config list ;
    -a -LeohSOk= --all --limit=num --json=name --jq=jq --env= --org= --user --owner= --ref= --key= --order=name --sort=name
    --exclude-drafts --exclude-pre-releases --public --secret --filter= --include-content --search= --host=name
    --closed --format=name --query= -u --parents --app=name ; item 1
  workflow view ; -y --yaml -r= --ref= ; item 1
  release view, project view, ruleset view, ruleset check ; --json=name --jq=jq --owner= --format=name --org= --default -b= ; item 1
  gist view ; -r -f= --raw --files --filename=name ; item 1
  search code, search commits, search issues, search prs, search repos, extension search ; -L=num --limit=num --author= --assignee= --language= --owner= --repo= --state=name --label= --json=name --jq=jq --sort=name --order=name --extension= --filename= --match=name ; item
  auth status ; -ah= --active --hostname=name
  config get ; -h=name --host=name ; key 1-1
  version, completion ; -s=name --shell=name
`,
  { kinds: { repo: /^[\w.-]+\/[\w.-]+$/, item: /^(?!-)/, key: /^[a-z_]+$/ } },
);
const ghApi = verbs(
  'gh',
  '',
  `
  api ; -X=get --method=get --paginate -q=jq --jq=jq -H=header --header=header -i --include --cache=num --slurp ; route 1-1
`,
  { kinds: { get: /^GET$/i, header: /^(?!@)/, route: /^(?!\/?graphql)(?!.*:\/\/)[\w{}/.?=&:,+%@-]+$/ } },
);

const others: Row[] = [
  ...verbs('gsutil', '-m -q', 'ls, du, stat ; -lLhrsbad ; object', {
    kinds: { object: /^gs:\/\/[\w.*/-]*$/ },
  }),
  ...verbs('gsutil', '-q', 'cat ; -h ; object 1+\nversion ; -l', { kinds: { object: /^gs:\/\/[\w./-]+$/ } }),
  ...verbs(
    'glab',
    '-R=repo --repo=repo',
    'mr list, mr view, issue list, issue view, repo view, ci view, ci list, ci status, release list, release view, label list ; -P=num -p=num --per-page=num --page=num -a= --assignee= --author= -l= --label= --all -A -b= --branch= --comments -c ; item 1',
    { kinds: { repo: /^[\w.-]+(?:\/[\w.-]+)+$/, item: /^(?!-|\w+:)/ } },
  ),
  ...verbs(
    'auth0',
    '--no-input --no-color --json --tenant=text',
    `
    apps list|ls, apis list|ls, roles list|ls, orgs list|ls, rules list|ls, actions list|ls, domains list|ls, tenants list|ls, qs list|ls, logs list|ls ; -n=num --number=num -f= --filter=
    apps show, apis show, roles show, users show, orgs show, rules show, actions show, domains show, roles permissions list|ls ; ; name 1
    users search ; -q= --query= -n=num --number=num
    protection * show ;
  `,
    { kinds: { text } },
  ),
  ...verbs(
    'vault',
    '',
    'status, version, secrets list, auth list, policy list, audit list ; -format=name -detailed\npolicy read ; ; name 1-1',
    { single: true },
  ),
  ...verbs(
    'rclone',
    '',
    `
    ls, lsl, lsd, lsf, lsjson, size, about ; -R --recursive --max-depth=num --json --human-readable --fast-list --format=name --files-only --dirs-only ; remote 1-1
    md5sum, sha1sum ; --download ; remote 1-1
    check ; --one-way --size-only --download --checksum -q ; place 2-2
    version, listremotes ; --long
  `,
    { kinds: { remote: /^[\w-]+:[\w./ -]*$/, place: /^(?:[\w-]+:)?[\w./ -]*$/ } },
  ),
  ...verbs(
    'restic',
    '--json --no-lock -q --quiet',
    `
    snapshots, stats ; --compact --latest=num --host=name -H=name --tag=name --path= --mode=name --group-by=name ; name
    ls ; -l --long --recursive ; name 1
    list ; ; name 1-1
    version ;
  `,
  ),
  ...verbs(
    'nats',
    '',
    'stream info, stream ls, stream list, consumer info, consumer ls, kv ls, server list, server ping, account info ; --json ; name 2',
  ),
  ...verbs(
    'rabbitmqctl',
    '-q --quiet',
    'status, cluster_status, ping, version, list_queues, list_exchanges, list_bindings, list_connections, list_channels, list_consumers, list_users, list_vhosts, list_permissions, list_policies ; -p=name --formatter=name ; name',
  ),
  ...programs(
    'fzf ; -01eimx -n=name -q= -f= --algo=name --ansi --border? --color= --cycle --delimiter= -d= --disabled --exact --exit-0 --expect= --filter= --footer= --header= --header-border? --header-first --header-lines=num --height= --highlight-line --info=name --keep-right --layout=name --margin= --min-height= --multi? --no-bold --no-color --no-extended --no-hscroll --no-ignore-case --no-mouse --no-sort --nth= --padding= --pointer= --prompt= --query= --read0 --print0 --print-query --reverse --scheme=name --scroll-off=num --select-1 --separator= --sync --tac --tail=num --tiebreak= --track --walker= --walker-skip= --with-nth= --bind=bind --preview-window= --preview-label= --preview-border? --no-preview --help --version --bash --zsh --fish ; plus',
    {
      kinds: {
        bind: /^[\w-]+:(?:[a-z-]*(?:up|down|accept|abort|toggle|select-all|deselect-all|clear-query|clear-screen|first|last|page-down|page-up|half-page-\w+|toggle-all|toggle-sort|beginning-of-line|end-of-line|cancel|ignore))(?:\+(?:up|down|toggle|accept|abort))*$/,
        plus: /^\+[a-z]$/,
      },
    },
  ),
];

export const cloudRows: Row[] = [...aws, ...az, ...gcloud, ...gh, ...ghApi, ...others];
