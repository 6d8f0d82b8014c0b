import type { CommandTable } from './types.ts';

/** Containers, clusters, clouds and databases. */
export const cloudCommands: CommandTable = {
  docker: {
    does: 'Runs programs in containers.',
    verbs: {
      run: {
        does: 'Starts a container.',
        options: {
          '-d, --detach': 'in the background',
          '--rm': 'deleted when it ends',
          '-it': 'with a terminal',
          '-p PORTS, --publish PORTS': 'with this port open',
          '-v PATHS, --volume PATHS': 'with this folder of the machine',
          '-e VAR, --env VAR': 'with this variable',
          '--name NAME': 'under this name',
          '--privileged': 'with all rights over the machine',
          '--network NAME': 'in this network',
        },
      },
      build: {
        does: 'Builds an image.',
        options: {
          '-t NAME, --tag NAME': 'under this name',
          '-f FILE': 'from this file',
          '--no-cache': 'everything anew',
        },
      },
      ps: { does: 'Lists containers.', options: { '-a, --all': 'stopped ones too' } },
      exec: {
        does: 'Runs a command in a running container.',
        options: { '-it': 'with a terminal', '-u USER': 'as this user' },
      },
      logs: { does: 'Shows what a container printed.', options: { '-f, --follow': 'keep printing' } },
      stop: 'Stops a container.',
      start: 'Starts a stopped container.',
      rm: {
        does: 'Deletes containers.',
        options: { '-f, --force': 'running ones too', '-v': 'with their data' },
      },
      rmi: 'Deletes images.',
      images: 'Lists images.',
      pull: 'Downloads an image.',
      push: 'Uploads an image.',
      inspect: 'Shows everything about an object.',
      system: 'Manages space and state.',
      volume: 'Manages data volumes.',
      network: 'Manages networks.',
      compose: {
        does: 'Manages the services of a compose file.',
        verbs: {
          up: {
            does: 'Starts the services.',
            options: { '-d': 'in the background', '--build': 'building first' },
          },
          down: { does: 'Stops and deletes them.', options: { '-v, --volumes': 'with their data' } },
          logs: 'Shows what they printed.',
          ps: 'Lists them.',
          exec: 'Runs a command in one.',
          build: 'Builds their images.',
        },
      },
    },
  },
  kubectl: {
    does: 'Controls a Kubernetes cluster.',
    verbs: {
      get: 'Lists objects.',
      describe: 'Shows an object in full.',
      apply: 'Makes the cluster as a file says.',
      delete: 'Deletes objects.',
      logs: 'Shows what a pod printed.',
      exec: 'Runs a command in a pod.',
      scale: 'Changes how many copies run.',
      rollout: 'Watches or undoes a change.',
      'port-forward': 'Brings a port of a pod to here.',
      config: 'Shows or changes which cluster is used.',
      drain: 'Empties a machine of the cluster.',
    },
    options: {
      '-n NAME, --namespace NAME': 'in this namespace',
      '-f FILE, --filename FILE': 'from this file',
      '-o FORMAT, --output FORMAT': 'in this format',
      '-A, --all-namespaces': 'in all namespaces',
      '-l LABEL': 'with this label',
      '-w': 'keep watching',
      '--context NAME': 'of this cluster',
    },
  },
  helm: {
    does: 'Installs applications in a cluster.',
    verbs: {
      install: 'Installs an application.',
      upgrade: 'Changes an application.',
      uninstall: 'Removes an application.',
      list: 'Lists applications.',
      repo: 'Manages sources.',
      template: 'Shows what would be installed.',
    },
  },
  terraform: {
    does: 'Makes cloud infrastructure as files say.',
    verbs: {
      init: 'Fetches what the files need.',
      plan: 'Shows what would change.',
      apply: { does: 'Changes the infrastructure.', options: { '-auto-approve': 'without asking' } },
      destroy: 'Deletes the infrastructure.',
      validate: 'Checks the files.',
      fmt: 'Formats the files.',
      state: 'Shows or changes what it remembers.',
      output: 'Shows results.',
    },
  },
  aws: {
    does: 'Controls Amazon Web Services.',
    options: { '--profile NAME': 'with this account', '--region NAME': 'in this region' },
    verbs: {
      s3: {
        does: 'Works with stored files.',
        verbs: {
          ls: 'Lists.',
          cp: 'Copies.',
          rm: 'Deletes.',
          sync: 'Makes one folder like another.',
          rb: 'Deletes a bucket.',
        },
      },
      ec2: 'Works with machines.',
      iam: 'Works with users and rights.',
      lambda: 'Works with functions.',
    },
  },
  gcloud: { does: 'Controls Google Cloud.' },
  az: { does: 'Controls Microsoft Azure.' },
  gh: {
    does: 'Works with GitHub.',
    verbs: {
      pr: 'Works with pull requests.',
      issue: 'Works with issues.',
      repo: 'Works with repositories.',
      run: 'Works with workflow runs.',
      api: 'Calls the interface of GitHub.',
      release: 'Works with releases.',
    },
  },
  psql: {
    does: 'Talks to a PostgreSQL database.',
    options: {
      '-c SQL, --command SQL': 'run this',
      '-f FILE': 'run this file',
      '-h HOST': 'on this machine',
      '-U USER': 'as this user',
      '-d NAME': 'this database',
    },
  },
  mysql: {
    does: 'Talks to a MySQL database.',
    options: {
      '-e SQL': 'run this',
      '-h HOST': 'on this machine',
      '-u USER': 'as this user',
      '-p': 'asking for the password',
    },
  },
  sqlite3: { does: 'Opens an SQLite database file.', operands: 'the file, then what to run' },
  'redis-cli': {
    does: 'Talks to a Redis database.',
    operands: 'the command',
    options: { '-h HOST': 'on this machine', '-p PORT': 'at this port' },
  },
  ansible: {
    does: 'Runs tasks on many machines.',
    options: {
      '-m MODULE': 'with this module',
      '-a ARGS': 'with these arguments',
      '-i FILE': 'on the machines of this list',
    },
  },
};
