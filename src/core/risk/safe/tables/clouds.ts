import { programs, type SafeRow, verbs } from '../table.ts';
import type { Reading } from '../types.ts';
import { awsRows } from './aws.ts';
import { secretNoun, text } from './cloud-words.ts';

/** Clouds: what lists and describes, and shows no key. Their options are a table too: none names a file or a server. */

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
  {
    kinds: {
      get: /^GET$/i,
      header: /^(?!@)(?!x-(?:http-)?method)/i,
      route: /^(?!\/?graphql)(?!.*:\/\/)[\w{}/.?=&:,+%@-]+$/,
    },
  },
);

const others: SafeRow[] = [
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

export const cloudRows: SafeRow[] = [...awsRows, ...az, ...gcloud, ...gh, ...ghApi, ...others];
