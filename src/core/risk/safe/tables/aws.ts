import { programs, type SafeRow } from '../table.ts';
import { secretNoun, text } from './cloud-words.ts';

/** The options of all that reads; each is a parameter of a request. Values that name a file are none. */
const options = (nouns: string, suffixes: readonly string[]): string =>
  nouns
    .split(/\s+/)
    .flatMap((noun) => suffixes.map((suffix) => `--${noun}-${suffix}=text`))
    .join(' ');
const named = options(
  `stack function cluster role group policy table global-table stream topic queue repository log-group log-stream
  service task-definition alarm stage layer db-cluster domain database catalog distribution instance-profile
  fargate-profile nodegroup addon configuration-set capacity-reservation consumer type change-set stack-set rule
  document metric-stream load-balancer target-group launch-configuration auto-scaling-group environment
  application project pipeline bucket state-machine execution vault key user prepared-statement action`,
  ['name', 'names', 'arn', 'arns'],
);
const numbered = options(
  `instance volume snapshot image vpc subnet group owner user-pool rest-api api resource route integration
  deployment health-check window query query-execution named-query session shard collection calculation-execution
  notebook automation-execution ops-item logical-resource physical-resource version secret key distribution
  account network-interface security-group route-table internet-gateway nat-gateway allocation reservation task
  cache-cluster file-system db-snapshot client identity-pool stack policy`,
  ['id', 'ids'],
);

/** What \`get\` may ask for, word by word. What it gets is whole, so nothing is got that is not here. */
const got = new Set(
  `account acl accelerate activity addon alarm alias aliases analysis api apis app application assignment attribute attributes
  authorization automation availability backup branch bucket build cache calculation caller capacity catalog change channel check checks console
  cluster code command commit compliance config configuration contact control cors cost csv dashboard data database
  delivery deployment deployments details dimension distribution dns document domain encryption endpoint engine event events
  execution field file filter finding findings folder forecast function group groups header health history hosted
  identity image index insight instance instances integration integrations inventory invocation item items iterator job jobs
  lifecycle limit limits link location logging logs maintenance managed merge metadata method metric metrics mfa model monitor
  name named names namespace network notebook notification ops order origin output ownership package
  partition partitions password patch permission pipeline plan plans platform prepared policies policy pool price principal product
  products profile project protection public quota queue query quotas record region registry replication repository request
  reservation resource resources response rest result results role roles route routes rule rules run runs
  sandbox saml schema scope sec segment selection sender service services session set settings shard sms snapshot source stack
  stage stages state statement statistics status step stream summaries summary table tables tag tagging tags target task template test
  thumbprint topic traffic trail transit trend trigger types update url usage user users utilization value values verification
  version versioning versions vpc window website work workflow workgroup zone zones`.split(/\s+/),
);

const awsReads =
  /^(?:admin-|batch-)?(?:describe|list|get|head|lookup|search|count|simulate|estimate|detect|filter-log-events|test-dns-answer)(?:-[a-z0-9]+)*$/;
/** Verbs whose noun says secret, and that show only its name, its rules or who has it. */
const awsShown =
  /^(?:list-secrets|describe-secret|list-secret-version-ids|list-ssh-public-keys|list-server-certificates|list-signing-certificates|get-account-password-policy|get-account-authorization-details|list-vpc-association-authorizations|admin-list-user-auth-events|describe-key|list-keys|describe-key-pairs|list-access-keys|get-api-keys)$/;
const awsDenied =
  /^(?:get-(?:object|object-torrent|parameters?|parameter-history|parameters-by-path|function|function-configuration|layer-version|layer-version-by-arn|export|sdk|media|clip|raw-message-content|session-token|federation-token|role-credentials|job-output|open-id-token\S*|work-unit\S*|thing-shadow|latest-configuration|configuration|console-screenshot|records|shard-records|instance-access-details|launch-template-data|connections?|app|relational-database-master-user-password|id|workflow\S*)|describe-instance-attribute|describe-launch-template-versions|describe-user-data|describe-launch-configurations|describe-vpn-connections|describe-user-pool-client|describe-identity-provider|describe-configuration-settings|batch-get-projects|batch-get-secret-value)$/;
export const awsRows: SafeRow[] = programs(
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
    ${named}
    ${numbered}
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
  if (awsDenied.test(verb)) return false;
  const wanted = /^(?:admin-|batch-)?get-(.*)$/.exec(verb)?.[1];
  if (wanted !== undefined && !awsShown.test(verb) && !wanted.split('-').every((word) => got.has(word)))
    return false;
  return awsShown.test(verb) || !secretNoun.test(verb);
}
