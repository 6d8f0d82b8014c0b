import { UNKNOWN } from '../../shell/index.ts';
import { gitVerb, isDryRun, joined } from '../args.ts';
import { type Arg, type CommandRule, PERHAPS, type SimpleCommand } from '../types.ts';

/**
 * Command lines of the shape `tool noun… verb name`: clouds, clusters, forges, secret stores. What they do is
 * in the verb, so one vocabulary serves them all.
 */

/** Tools, with the options before the verb that take a value. */
const tools: Readonly<Record<string, string>> = Object.fromEntries([
  [
    'aws',
    '--profile --region --output --endpoint-url --query --ca-bundle --cli-connect-timeout --cli-read-timeout --color',
  ],
  ['az', '--subscription --query -o --output --resource-group -g --name -n'],
  ['gcloud', '--project --account --configuration --format --verbosity --region --zone'],
  ['kubectl', '-n --namespace --context --kubeconfig --cluster --user -s --server'],
  ['helm', '-n --namespace --kube-context --kubeconfig'],
  ['docker', '-H --host --context -c --config -l --log-level -f --file -p --project-name'],
  ['terraform', ''],
  ['vault', '--namespace -namespace -address'],
  ['mc', '--config-dir -C'],
  ['java', '-s -auth -jar -cp'],
  ...'ansible k oc podman nerdctl docker-compose helmfile tofu terragrunt pulumi cdk cdktf sam serverless sls eksctl kops k3d kind minikube k3s rancher argocd flux istioctl linkerd gsutil bq gcutil doctl linode-cli hcloud vultr-cli scw oci ibmcloud ovhai exo civo aliyun tccli yandex yc fly flyctl heroku vercel netlify wrangler railway render supabase firebase amplify eb dokku cf gh glab hub tea bb bitbucket jira circleci travis buildkite drone jenkins-cli argo tkn vercel now surge op doppler infisical bw lpass chamber sops consul nomad boundary packer vagrant ansible-galaxy apigeecli apigee deck kong fastly cloudflared akamai ldcli flipt split unleash configcat growthbook pd opsgenie datadog-ci newrelic sentry-cli grafana-cli grafana promtool amtool stripe square paypal twilio sendgrid algolia elasticsearch meilisearch typesense nats rpk confluent pulsar-admin rclone restic borg kopia duplicity velero barman pgbackrest wal-g auth0 okta ory keycloak kcadm.sh az-copy azcopy s3cmd lxc incus virsh VBoxManage vboxmanage govc xe qm pct pvesh multipass limactl colima prlctl nova openstack snap flatpak conda mamba npm pnpm yarn pip pip3 pipx cargo gem composer poetry uv brew dvc mlflow wandb huggingface-cli kaggle databricks snow astro dagster prefect airflow juju maas zfs tailscale sqlcmd ngrok defaults tmux screen systemctl supabase planetscale pscale turso neonctl atlas cockroach temporal tctl step mkcert certbot acme.sh lego wp drush artisan nx turbo lerna rush expo eas fastlane pm2 crowdin localstack awslocal tflocal'
    .split(' ')
    .map((name) => [name, '']),
] as [string, string][]);

const destructive =
  'unset|delete|destroy|remove|rm|purge|terminate|erase|wipe|nuke|del|uninstall|undeploy|unpublish|deregister|decommission|drop|rb|rmi|rdelete|obliterate|kill|shutdown|unregister|teardown|tear-down|force-unlock|revoke|rdel|poweroff|reset|prune|flush|truncate|archive|forget|disable|expunge|detach|evict|drain|rollback-all|removedestination|forcedelete';
const exact = new RegExp(`^(?:${destructive})$`, 'i');
const compound =
  /^(?:(?:batch|force|bulk|admin|mass|cascade|schedule|permanently)-)*(?:delete|destroy|terminate|purge|deregister|remove|drop|erase|wipe|revoke|disassociate|detach|reset|cancel-and|unsubscribe|undeploy|uninstall)(?:[-_]\w|$)|[-_:](?:delete|destroy|remove|rm|kill|purge|drop|reset|wipe|uninstall|rollback|revoke|disable)$|^(?:delete|remove|destroy|purge|terminate)[A-Z]/;

/** Words that look destructive where they are not: kinds of local configuration, package lists, shells of projects. */
const mild: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|pip|pip3|pipx|cargo|gem|composer|poetry|uv|conda|mamba|brew|snap|flatpak|nx|turbo|expo|lerna|rush) (?!.*\b(?:unpublish|yank|owner|access|team|org|token|purge|prune|wipe)\b)/,
  /^\S+ (?:\S+ )?(?:unset|remove|rm)$/,
  /^(?:gh|glab) (?:label|alias|extension|ext) (?:remove|rm) /,
  /^(?:docker|podman|nerdctl) (?:image|builder|buildx|network|container) prune$/,
  /^(?:gcloud|npm|pnpm|helm|az) config unset/,
  /^(?:docker|podman|nerdctl) (?:network|context|plugin) (?:disable|detach|disconnect)$/,
  /^(?:kubectl|k|oc) (?:config|rollout|label|annotate) /,
  /^helm repo /,
  /^(?:tmux|screen|defaults|tailscale|sqlcmd|snap|flatpak|systemctl) /,
  /^terraform workspace delete$/,
  /^(?:gh|glab) (?:issue|pr|mr|run) (?:close|lock|cancel)/,
  /^(?:git-lfs|mlflow) /,
  /^(?:auth0|op|vault) (?:login|logout)/,
  /^\w+ (?:pause|stop)$/,
];

/** Verbs that hurt in some programs only: which, and what they are told. */
const particular: readonly (readonly [programs: string, told: RegExp])[] = [
  [
    'kubectl k oc',
    /^(?:delete|drain|cordon|taint|replace|scale|set \S+|rollout (?:undo|restart|pause|resume)|patch|edit)\b/,
  ],
  ['kubectl k oc', /^apply .*--(?:force|prune)\b/],
  ['kubectl k oc', /^config (?:delete|unset)/],
  ['helm', /^(?:uninstall|delete|del|un|rollback)\b/],
  ['helm', /^upgrade .*--(?:force|reset-values)\b/],
  [
    'terraform tofu terragrunt tflocal',
    /^(?:destroy|apply .*-(?:auto-approve|destroy)|apply -auto-approve|force-unlock|taint|state (?:rm|push|replace-provider|mv)|import|run-all destroy|workspace delete .*-(?:force|lock=false))/,
  ],
  [
    'pulumi cdk cdktf sam serverless sls eksctl kops k3d kind minikube amplify eb vagrant copilot',
    /^(?:destroy|delete|down|remove|stack rm|terminate|state delete|cancel|refresh)\b/,
  ],
  [
    'docker podman nerdctl',
    /^(?:(?:container|image|volume|network|system|builder|buildx|compose|stack|service|swarm|secret|config|node|context|trust|manifest) )?(?:rm|rmi|remove|kill|revoke|leave)\b/,
  ],
  ['docker podman nerdctl', /^(?:\w+ )?prune .*-(?:-all|-force|-volumes|\w*[af])/],
  ['docker podman nerdctl', /^(?:system|volume) prune\b/],
  ['docker podman nerdctl docker-compose', /^(?:compose )?down .*(?:-v|--volumes|--rmi)\b/],
  ['docker-compose', /^(?:rm|kill)\b/],
  [
    'docker podman nerdctl',
    /^(?:run|create|exec|compose run) .*(?:--privileged(?!=false)|--pid[= ]host|--network[= ]host|--net[= ]host|--cap-add[= ](?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE)|(?:-v|--volume)[= ]?(?:\/|~|\/etc|\/var\/run\/docker\.sock|\/root|\/home):|source=\/,|(?:seccomp|apparmor)[=:]unconfined|--userns[= ]host|--device[= ]\/dev)/,
  ],
  [
    'gh',
    /^(?:repo (?:delete|archive|rename|transfer|edit .*--visibility)|secret (?:delete|remove|set)|release delete|gist delete|ssh-key delete|gpg-key delete|cache delete|codespace delete|workflow disable|ruleset delete|project delete|label delete|auth (?:logout|token)|pr merge .*--admin)/,
  ],
  ['stripe', /^.*(?:delete|roll|cancel|refund)\b/],
  ['fastly', /^.*(?:delete|purge|activate|deactivate)\b/],
  [
    'vault',
    /^(?:.*\b(?:delete|destroy|disable|revoke|seal|unwrap|rekey|rotate|step-down|move|metadata delete|force)\b)/,
  ],
  ['deck', /^(?:gateway )?(?:reset|sync)\b/],
  [
    'aws',
    /^(?:\S+ )?(?:secretsmanager (?:update-secret|put-secret-value|delete-secret|rotate-secret|remove-regions)|s3 (?:rm|rb|mv)\b|ec2 (?:terminate|stop|reboot)-instances|iam (?:update-login|create-access-key|attach-\w+-policy|put-\w+-policy|deactivate)|route53 change-resource-record-sets|s3api put-bucket-(?:policy|acl)|sns unsubscribe|ssm send-command|rds (?:stop|failover|reboot)|cloudformation cancel|kms (?:schedule-key-deletion|disable-key)|organizations (?:leave|close)|autoscaling .*(?:terminate|suspend)|ecs (?:stop-task|update-service .*--desired-count[= ]0)|autoscaling (?:set-desired-capacity|update-auto-scaling-group) .*(?:capacity|size)[= ]0|lambda put-function-concurrency|ssm start-session|iam (?:create-(?:user|role|login)|add-user)|lambda remove-|logs delete|ec2 (?:revoke|authorize)-security-group)/,
  ],
  ['az', /^(?:.* )?(?:delete|purge|deallocate|remove|revoke|unregister|redeploy|reset|failover|cancel)\b/],
  [
    'gcloud',
    /^(?:.* )?(?:set-iam-policy|add-iam-policy-binding|delete|destroy|remove-\S+|undeploy|disable|reset|revoke|purge|rm)\b/,
  ],
  [
    'gsutil s3cmd mc rclone azcopy',
    /^(?:\S+ )*?(?:rm|rb|del|delete|purge|remove|rmdirs?|deletefile|cleanup|obscure|dedupe)\b/,
  ],
  [
    'restic borg kopia duplicity velero barman pgbackrest wal-g',
    /^(?:.*\b(?:forget|prune|delete|rdelete|compact|remove|expire|unlock --remove-all|key remove|break-lock|repair)\b)/,
  ],
  [
    'heroku',
    /^(?:\S*:(?:destroy|kill|reset|remove|rm|delete|rollback|unset|clear|promote|stop)|destroy|pg:\S*reset|ps:scale|maintenance:on|apps:\S*destroy|repo:\S+|container:rm|releases:rollback|drains:remove)\b/,
  ],
  [
    'netlify vercel now',
    /^(?:\S+:(?:delete|unset|clone|rm)(?:\s+\S|$)(?<!unset)|(?:remove|rm)\b|(?:projects?|domains?|certs|dns|alias|aliases|teams?|blob|integration) (?:rm|remove|delete))/,
  ],
  [
    'java jenkins-cli',
    /^.*\b(?:delete-\w+|shutdown|safe-shutdown|restart|safe-restart|quiet-down|disable-\w+|offline-node|groovy)\b/,
  ],
  ['circleci', /^.*\b(?:delete|remove-\w+|remove)\b/],
  ['openstack', /^(?:.* )?delete\b/],
  ['docker podman nerdctl', /^(?:swarm|plugin install|trust|machine (?:rm|reset)|cp \S+ [\w.-]+:)/],
  ['kubectl k oc', /^(?:run|debug) .*(?:hostPID|hostPath|privileged|hostNetwork)/],
  ['kubectl k oc', /^cp \S+ \S+:/],
  ['gcloud', /^.*\b(?:instances|clusters|services) (?:stop|suspend|resize)\b/],
  ['railway', /^down\b/],
  ['nomad', /^.*(?:\bstop\b|\bpurge\b)/],
  [
    'virsh govc xe qm pct VBoxManage vboxmanage',
    /^(?:.*\b(?:destroy|undefine|vol-delete|pool-destroy|snapshot-delete|unregistervm|vm\.destroy|stop|poweroff|closemedium)\b)/,
  ],
  ['ansible', /^.*\b(?:state=absent|force=)/],
  ['mc nats consul', /^.*\b(?:rb|rm|del|delete|purge|remove)\b/],
];

/** By program: to look through all of them takes longer than all else that is judged of a command. */
const particularOf = Map.groupBy(
  particular.flatMap(([programs, told]) => programs.split(' ').map((program) => ({ program, told }))),
  ({ program }) => program,
);

/** The words of the call: options that stand before the verb skipped with their values. */
function words(command: SimpleCommand, valued: string): Arg[] {
  const takes = valuedOf(valued);
  const found: Arg[] = [];
  for (let i = 0; i < command.args.length && found.length < 6; i++) {
    const arg = command.args[i] as Arg;
    if (arg.value.startsWith('-')) {
      if (takes.has(arg.value)) i++;
      // Once the verb is named, options with values follow; what they hold is not a verb.
      else if (found.length >= 2 && !arg.value.includes('=')) break;
    } else found.push(arg);
  }
  return found;
}

/** Programs that are called by what they do: `k3s-uninstall.sh`. */
const saysSo =
  /(?:^|[-_.])(?:uninstall|purge|wipe|nuke|destroy|factory-?reset|delete-?(?:all|everything|cluster|db|database))(?:er)?(?:[-_.]|$)/;

/** Of these, what is done is all in the verb. */
const hidden =
  'git docker podman nerdctl kubectl k oc helm terraform tofu aws az gcloud gh glab systemctl heroku fly flyctl pulumi vault zfs virsh openstack'.split(
    ' ',
  );

const reads =
  /^(?:get|list|ls|describe|show|logs|view|inspect|info|status|search|help|explain|top|history|diff|plan|cat|read|version|completion)$/;

const valuedOnes = new Map<string, ReadonlySet<string>>();
/** The options of a tool that take the word behind them. There are as many such lists as tools. */
function valuedOf(valued: string): ReadonlySet<string> {
  const known = valuedOnes.get(valued) ?? new Set(valued.split(' ').filter(Boolean));
  valuedOnes.set(valued, known);
  return known;
}

export const verbRules: readonly CommandRule[] = [
  {
    id: 'verb-not-literal',
    unproven: true,
    level: 'dangerous',
    sentence: 'What the tool is told to do is only known when it runs.',
    names: hidden,
    match(command) {
      const verb =
        command.name === 'git'
          ? command.args[gitVerb(command).at]
          : words(command, tools[command.name] ?? '')[0];
      return verb?.value.includes(UNKNOWN) ? verb : undefined;
    },
  },
  {
    id: 'removes-remote',
    level: 'dangerous',
    sentence: 'Deletes, stops or replaces something on a server, in a cluster, a cloud or a container.',
    names: Object.keys(tools),
    match(command) {
      const valued = tools[command.name];
      if (valued === undefined || command.args.length === 0) return undefined;
      if (isDryRun(command)) return undefined;
      const found = words(command, valued);
      const head = found.map((arg) => arg.value).join(' ');
      // To docker, -f is a file before the verb and force after it.
      const raw = /^(?:docker|podman|nerdctl)/.test(command.name) ? joined(command) : head;
      const takes = valuedOf(valued);
      const noOptions = command.args.filter(
        (arg, i) => !takes.has(arg.value) && !takes.has(command.args[i - 1]?.value ?? ''),
      );
      const whole = noOptions.map((arg) => arg.value).join(' ');
      const isTold = ({ told }: { told: RegExp }) => told.test(whole) || told.test(head) || told.test(raw);
      if (particularOf.get(command.name)?.some(isTold)) return found[0] ?? true;
      if (mild.some((pattern) => pattern.test(`${command.name} ${head}`))) return undefined;
      const readAt = found.findIndex((arg) => reads.test(arg.value));
      return found.find(
        (arg, i) =>
          (readAt === -1 || i < readAt) && i < 4 && (exact.test(arg.value) || compound.test(arg.value)),
      );
    },
  },
  {
    id: 'removes-unknown',
    unproven: true,
    level: 'dangerous',
    sentence: 'Tells a program that is not known here to destroy or delete something.',
    match(command) {
      if (Object.hasOwn(tools, command.name) || takesNoVerb(command.name) || command.via.includes(PERHAPS))
        return undefined;
      if (saysSo.test(command.name)) return true;
      const end = command.args.findIndex((arg) => arg.value.startsWith('-'));
      const found = command.args.slice(0, end === -1 ? 2 : Math.min(end, 2));
      return found.find(
        (arg, i) =>
          /^(?:destroy|delete|purge|nuke|wipe|terminate|erase|obliterate|delete-all|destroy-all)$/.test(
            arg.value,
          ) ||
          (i === 0 && /^(?:rm|remove|unregister)$/.test(arg.value)),
      );
    },
  },
];

/** What other programs make of the words that they are given. */
type Takes = 'text' | 'verb and text' | 'names';

const taken: Readonly<Record<Takes, string>> = {
  /** They print, search, send, compare or keep it. */
  text: `echo printf grep egrep fgrep zgrep ggrep rg ag ack git say notify-send wall logger cat tac bat less more head
  tail man tldr cheat whatis apropos info type which whereis command test [ expr jq gojq yq xq dasel curl wget
  http https xh httpie pgrep pkill ps export declare local readonly typeset set unset read mapfile readarray sed
  gsed awk gawk mawk nawk tee touch mkdir cp mv ln ls cd pushd history open xdg-open code cowsay figlet pbcopy
  jest vitest mocha pytest playwright ava phpunit rspec ctest xclip xsel wl-copy clip mail mailx sendmail mutt
  patch diff cmp comm sort uniq cut tr wc fold fmt column base64 base32 md5sum sha1sum sha256sum sha512sum xxd od
  hexdump rev nl paste join split iconv getopt getopts let return exit trap alias unalias bind complete compgen
  shopt hash help basename dirname realpath readlink stat file find gfind fd fdfind rm rmdir unlink`,
  /** What to do, and then messages, titles, names. */
  'verb and text': 'gh glab hub tea jira linear svn hg jj',
  /** Files, code, or verbs that have rules of their own; some of it may well be run. */
  names: `true false : make just task node python python3 ruby perl bash sh zsh sleep kill killall tar zip unzip gzip ssh
  scp rsync psql mysql sqlite3 redis-cli mongosh etcdctl rabbitmqctl rabbitmqadmin rename tree bundle rails rake
  mix dotnet go cargo-make vim vi nano emacs sudo doas env xargs time nice nohup timeout watch pip3 journalctl
  nginx service iptables ip nft ufw nmcli route tmutil security pass dscl seq yes crontab getent alembic flask
  prisma sequelize knex typeorm virtualenv gpg openssl ssh-keygen dpkg apt apt-get yum dnf pacman apk zypper rpm
  port choco winget scoop chmod chown zpool zfs btrfs lxd parted cryptsetup dbt spark-submit`,
};

const kinds = new Map<string, Takes>(
  (Object.keys(taken) as Takes[]).flatMap((kind) =>
    taken[kind].split(/\s+/).map((name): [string, Takes] => [name, kind]),
  ),
);

/** Whether a destructive command among the words of this program is only text to it. */
export function takesText(name: string): boolean {
  const kind = kinds.get(name);
  return kind === 'text' || kind === 'verb and text';
}

/** Whether `delete` as a word of this program is not what it is told to do. */
export function takesNoVerb(name: string): boolean {
  const kind = kinds.get(name);
  return kind === 'text' || kind === 'names';
}

/** Whether what this program does is in a verb of its command line. */
export const takesVerbs = (name: string): boolean => Object.hasOwn(tools, name);
