import { isSecret } from '../../secret-paths.ts';
import { isShown } from '../kinds.ts';
import { type SafeRow, verbs } from '../table.ts';
import type { Reading, ValueKind } from '../types.ts';

/** Containers and clusters. What goes to another host than the one that is set up, or to a file, is not on the lines. */

/** A template that does not ask for the environment of a container. */
const field = String.raw`(?:\$\w+)?(?:\.(?!(?:Config|\w*Spec|TaskTemplate|ContainerConfig)(?![\w.])|Env)\w+)+`;
const part = String.raw`(?:${field}|\$\w+|"[^"{}]*"|\d+)`;
const action = String.raw`\{\{-?\s*(?:end|else|(?:if|with|range)\s+(?:\$\w+(?:\s*,\s*\$\w+)?\s*:=\s*)?${field}|(?:(?:json|len|upper|lower|title|println?|join|split|truncate|printf|(?:eq|ne|gt|lt|not)|index)\s+)?${part}(?:\s+${part})*(?:\s*\|\s*(?:json|len|upper|lower|title|println?))*)\s*-?\}\}`;
const shape = new RegExp(`^(?:(?!\\{\\{).|${action})*$`, 's');
/** Inside of a range or a branch, \`.\` is what that is about: fields of it, or itself where it cannot hold the environment. */
const template: ValueKind = (value) => value.length < 2_000 && shape.test(value) && !/env/i.test(value);

const listing = '-aq --all --quiet -f= --filter= --format=template --no-trunc';
const docker = verbs(
  'docker podman nerdctl',
  '-l=name --log-level=name',
  `
  ps, container ls|list|ps ; ${listing} -ns -l --latest --last=num --size ; name
  images, image ls|list ; ${listing} --digests --tree ; image
  volume ls|list, network ls|list, config ls|list, secret ls|list, node ls|list, service ls|list, stack ls|list, plugin ls|list, context ls|list ; ${listing}
  inspect, container inspect, service inspect ; !-f=template !--format=template -s --size --type=name ; image
  image inspect, volume inspect, network inspect, config inspect, node inspect, plugin inspect, secret inspect ; -f=template --format=template -s --size --type=name --pretty ; image
  logs, container logs, service logs ; -ft -n=num --follow --tail=name --since= --until= --timestamps --details --no-trunc
    --raw --no-task-ids --no-resolve ; name 1
  top, container top ; ; name 1
  port, container port, diff, container diff ; ; name 2
  stats, container stats ; -a --all --no-stream --no-trunc --format=template ; name
  events, system events ; -f= --filter= --since= --until= --format=template
  version, info, system info ; -f=template --format=template
  system df ; -v --verbose --format=template
  history, image history ; -qH --quiet --human? --no-trunc --format=template ; image 1
  search ; -f= --filter= --limit=num --no-trunc --format=template ; image 1
  service ps, stack ps, stack services, node ps ; ${listing} --no-resolve ; name
  context show ;
  context inspect ; ; name
  buildx ls, buildx version ; --format=template --no-trunc
  buildx du ; --verbose
  buildx inspect ; ; name 1
  manifest inspect ; -v --verbose ; image 1
`,
  { kinds: { template, image: /^[\w][\w.:@/-]*$/ } },
);

/** The composition is a file of the folder. */
const composed = `
  ps ; -aq --all --quiet --services --status= --filter= --format=name ; name
  logs ; -ft -n=num --follow --tail=name --since= --until= --timestamps --no-color --no-log-prefix ; name
  images, top ; -q --quiet --format=name ; name
  ls ; -aq --all --quiet --format=name
  port ; --index=num --protocol=name ; name 2
  config ; !-q !--quiet !--services !--images !--volumes !--profiles !--networks
  version ; -f=name --format=name --short
  events ; --json ; name
`;
const compose = [
  ...verbs(
    'docker podman',
    '',
    `
    compose ls ; -aq --all --quiet --format=name
    compose version ; -f=name --format=name --short
  `,
  ),
  ...verbs(
    'docker-compose podman-compose',
    '-p=name --project-name=name --profile=name --ansi=name --no-ansi',
    composed,
    { trusted: true },
  ),
  ...verbs(
    'docker podman',
    '-p=name --project-name=name --profile=name --ansi=name',
    composed
      .trim()
      .replace(/^\s*/gm, '')
      .replace(/^[\w, ]+(?= ;)/gm, (paths) =>
        paths
          .split(', ')
          .map((path) => `compose ${path}`)
          .join(', '),
      ),
    { trusted: true },
  ),
];

/** Kinds whose values a cluster keeps apart because they are secret. */
const secret = /secret/i;
const kubectlGlobals =
  '-n=name --namespace=name --context=context --cluster=context --user=context --request-timeout=num';
const isOpen = ({ values, operands }: Reading): boolean => {
  const shapes = ['-o', '--output', '--template', '--sort-by'].flatMap((name) => values.get(name) ?? []);
  return (
    !operands.some((arg) => secret.test(arg.value)) ||
    shapes.every((shape) => shape === 'name' || shape === 'wide')
  );
};
const kubectl = verbs(
  'kubectl oc',
  kubectlGlobals,
  `
  get ; -Aw -lL= -o=shape --all-namespaces --allow-missing-template-keys? --chunk-size=num --field-selector= --ignore-not-found
    --label-columns= --no-headers? --output=shape --output-watch-events --selector= --show-kind --show-labels
    --show-managed-fields --sort-by= --subresource=name --watch --watch-only ; resource 1+
  describe ; -A -l= --all-namespaces --selector= --show-events? --chunk-size=num ; resource 1+
  logs ; -fp -c=name -l= --all-containers? --all-pods? --container=name --follow --ignore-errors --limit-bytes=num
    --max-log-requests=num --pod-running-timeout=num --prefix --previous --selector= --since=num --since-time= --tail=
    --timestamps? ; resource 1-2
  top pod|pods|po|node|nodes|no ; -A -l= --all-namespaces --containers --no-headers --selector= --sort-by=name --sum
    --use-protocol-buffers ; name 1
  version ; -o=name --client? --output=name --short
  explain ; --recursive? --api-version= --output=name ; resource 1-1
  api-resources ; -o=name --api-group= --namespaced? --no-headers --output=name --sort-by=name --verbs=
  api-versions, cluster-info ;
  auth can-i ; -A --all-namespaces --list? --no-headers --quiet --subresource=name ; resource 3
  auth whoami ; -o=name --output=name
  rollout status, rollout history ; -l= --revision=num --selector= --timeout=num --watch? ; resource 2
  config current-context ;
  config view ; --minify -o=shape --output=shape
  config get-contexts, config get-clusters, config get-users ; -o=name --output=name --no-headers ; context
  plugin list ; --name-only
  completion ; ; name 1
  events ; -A --all-namespaces --for=resource --types= -w --watch --no-headers -o=name --output=name
`,
  {
    also: isOpen,
    kinds: {
      shape: /^(?:json|yaml|name|wide|(?:jsonpath|go-template|custom-columns)=.*)$/s,
      context: /^[\w.:@/-]+$/,
      resource: /^[\w][\w.,:/@-]*$/,
    },
  },
);

const helmGlobals = '-n=name --namespace=name --kube-context=context --debug';
const helm = verbs(
  'helm',
  helmGlobals,
  `
  list, ls ; -aAqdrm --all --all-namespaces --date --deployed --failed --filter= --max=num --no-headers --offset=num
    -o=name --output=name --pending --reverse --short --superseded --time-format= --uninstalled --uninstalling -l=
    --selector=
  status, history ; -o=name --output=name --revision=num --max=num --show-resources ; name 1-1
  get notes, get metadata ; --revision=num -o=name --output=name ; name 1-1
  search repo ; -lr --devel --max-col-width=num -o=name --output=name --regexp --version=name --versions ; chart
  search hub ; --max-col-width=num --list-repo-url -o=name --output=name ; name
  repo list|ls, plugin list|ls ; -o=name --output=name
  version ; --short --template=
  completion ; ; name 1-1
  dependency list|ls, dep list|ls ; --max-col-width=num ; chart 1
  show chart|readme|values|crds|all, inspect chart|readme|values|crds|all ; --version=name --devel ; chart 1-1
`,
  { kinds: { context: /^[\w.:@/-]+$/, chart: /^(?!oci:)\.?[\w/.-]+$/ } },
);
/** What a chart would become; its values may be anything of the folder's. */
const charts = verbs(
  'helm',
  helmGlobals,
  `
  lint ; -f=values --values=values --set= --set-string= --strict --quiet --with-subcharts ; chart
  template ; -f=values --values=values --set= --set-string= --version=name --include-crds --show-only= -s= --no-hooks
    --skip-tests --kube-version=name --api-versions= ; chart 1-2
`,
  {
    kinds: {
      context: /^[\w.:@/-]+$/,
      chart: /^(?!oci:)\.?[\w/.-]+$/,
      values: (value, scope) =>
        !/^\w[\w+.-]*:/.test(value) && isShown(value, scope) && !isSecret(value, scope),
    },
  },
);

const clusters: SafeRow[] = [
  ...verbs(
    'minikube',
    '-p=name --profile=name',
    'status, profile list, addons list, ip, version ; -o=name --output=name -l',
  ),
  ...verbs('kind', '', 'get clusters, get nodes ; --name=name -A --all-clusters'),
];

/** Settings of terraform name providers, which are programs; its state holds secrets. */
const terraform = verbs(
  'terraform tofu',
  '',
  `
  version ; -json
`,
  { single: true },
);
const state = verbs(
  'terraform tofu',
  '',
  `
  state list ; -id= ; words
  providers, workspace list, workspace show, modules ; -json
  validate ; -json -no-color -no-tests
  graph ; -type=name -draw-cycles
`,
  { single: true, trusted: true },
);

export const containerRows: SafeRow[] = [
  ...docker,
  ...compose,
  ...kubectl,
  ...helm,
  ...charts,
  ...clusters,
  ...terraform,
  ...state,
];
