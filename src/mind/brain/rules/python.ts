import type { Simple } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords } from '../command/edit.ts';
import { lookingInto, pythonModuleHere, useEnvironment } from './kept-here.ts';
import { asRoot, byProgram, hasFlag, type Mend, type MendingRule, type SeenFailure, verbOf } from './rule.ts';
import { scriptOf } from './scripts.ts';

/** Modules whose package goes by another name. */
const packageNames: Record<string, string> = {
  yaml: 'PyYAML',
  cv2: 'opencv-python',
  PIL: 'Pillow',
  sklearn: 'scikit-learn',
  skimage: 'scikit-image',
  bs4: 'beautifulsoup4',
  dotenv: 'python-dotenv',
  dateutil: 'python-dateutil',
  serial: 'pyserial',
  usb: 'pyusb',
  git: 'GitPython',
  jwt: 'PyJWT',
  OpenSSL: 'pyOpenSSL',
  Crypto: 'pycryptodome',
  magic: 'python-magic',
  docx: 'python-docx',
  pptx: 'python-pptx',
  MySQLdb: 'mysqlclient',
  psycopg2: 'psycopg2-binary',
  attr: 'attrs',
  pkg_resources: 'setuptools',
  slugify: 'python-slugify',
  jose: 'python-jose',
  multipart: 'python-multipart',
  fitz: 'PyMuPDF',
  telegram: 'python-telegram-bot',
  zmq: 'pyzmq',
  win32api: 'pywin32',
  ruamel: 'ruamel.yaml',
  google: 'google-api-python-client',
};

/** Modules that come with Python itself, or with the system: pip does not have them. */
const notFromPip = new Set(
  'tkinter _tkinter distutils venv ensurepip pip apt_pkg apt gi _ctypes _sqlite3 imp asyncore cgi encodings __main__ urllib2 ConfigParser Queue StringIO cPickle cStringIO httplib commands config settings utils models tests test src lib app main'.split(
    ' ',
  ),
);

export const missingModule: MendingRule = {
  id: 'python-module',
  about: 'Python does not find a module: it is activated with the environment of the folder, or installed.',
  async propose(seen) {
    const name =
      /(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?/.exec(seen.output)?.[1] ??
      /python[\d.]*: No module named ([\w.]+)/.exec(seen.output)?.[1];
    if (name === undefined) return null;
    const top = name.split('.')[0]!;
    if (top === 'pip') return pipItself(seen);
    // A module of the project itself: no package of that name is what is meant.
    const here = await Promise.all([seen.probe.kind(top), seen.probe.kind(`${top}.py`)]);
    if (here.some((kind) => kind === 'dir' || kind === 'file')) return fromTop(seen, top);
    if (notFromPip.has(top)) return pythonModuleHere(seen, top);
    const kept = (await environmentWith(seen, top)) ?? (await pythonModuleHere(seen, top));
    if (kept !== null) return kept;
    const requirements = await seen.probe.readText('requirements.txt');
    const packageName = Object.hasOwn(packageNames, top) ? packageNames[top]! : top;
    const spelt = packageName.replace(/[-_]/g, '[-_]').replace(/\./g, '\\.');
    const listed = requirements !== null && new RegExp(`^${spelt}\\b`, 'im').test(requirements);
    const what = listed ? '-r requirements.txt' : shellWord(packageName);
    return {
      steps: [
        {
          title: listed ? 'Install the requirements' : `Install ${packageName}`,
          command: `${await pipOf(seen)} install ${what}`,
        },
      ],
      reasoning: listed
        ? `The module \`${top}\` is in requirements.txt but not installed.`
        : `Python does not find the module \`${top}\`; the package \`${packageName}\` has it.`,
      confidence: listed ? 0.9 : (await isTrusted(seen, top, spelt)) ? 0.74 : UNSURE,
    };
  },
};

/** Python looks where the script is, not where the command is: one in a folder does not see what is beside that. */
async function fromTop(seen: SeenFailure, module: string): Promise<Mend | null> {
  const python = byProgram(seen, 'python', 'python3').at(-1);
  const script = python === undefined ? null : scriptOf(python);
  const isBelow = script?.replace(/^\.\//, '').includes('/') === true && !script.startsWith('/');
  const isTest = byProgram(seen, 'pytest', 'py.test').length > 0;
  if ((!isBelow && !isTest) || (await seen.probe.hasEnv('PYTHONPATH')) === true) return null;
  return {
    ...(await lookingInto(seen, '.')),
    reasoning: `The module \`${module}\` is here; Python looks in the folder of the script only.`,
    confidence: 0.9,
  };
}

const inEnvironment = /^((?:[\w.-]+\/)*(?:\.?venv|\.?env|virtualenv))\/bin\/([\w.-]+)$/;

export const noEnvironment: MendingRule = {
  id: 'python-venv-absent',
  about: 'The command uses the virtual environment of the folder, which nobody has made yet.',
  async propose(seen) {
    if (!/No such file or directory|not found/.test(seen.output)) return null;
    const words = seen.tree.simples.flatMap(({ name, args }) => [name, ...args]);
    const word = words.find(
      ({ literal, value }) => literal && inEnvironment.test(value.replace(/^\.\//, '')),
    );
    const [, folder, tool] = inEnvironment.exec(word?.value.replace(/^\.\//, '') ?? '') ?? [];
    if (word === undefined || folder === undefined || tool === undefined) return null;
    if ((await seen.probe.kind(folder)) !== 'absent') return null;
    for (const other of ['.venv', 'venv', 'env'].filter((name) => name !== folder))
      if ((await seen.probe.kind(`${other}/bin/${tool}`)) === 'file')
        return {
          modify: replaceWords(seen.tree, [[word, word.value.replace(folder, other)]]),
          reasoning: `The environment of the folder is \`${other}\`, not \`${folder}\`.`,
          confidence: 0.9,
        };
    const own = /^(?:activate(?:\.\w+)?|python[\d.]*|pip[\d.]*)$/.test(tool);
    const needs = await requirementsOf(seen);
    // What is not in a new environment comes with the requirements, or from nowhere.
    if (!own && needs === null) return null;
    const pip = `${shellWord(folder)}/bin/python -m pip install -r ${needs}`;
    const installs = /\bpip\b[^\n]*\binstall\b/.test(seen.command);
    return {
      steps: [
        { title: `Make the virtual environment ${folder}`, command: `python3 -m venv ${shellWord(folder)}` },
        ...(needs === null || installs ? [] : [{ title: 'Install the requirements', command: pip }]),
      ],
      reasoning: `The virtual environment \`${folder}\` has not been made.`,
      confidence: 0.9,
    };
  },
};

/** The list of requirements, where it names any. */
async function requirementsOf({ probe }: SeenFailure): Promise<string | null> {
  const text = await probe.readText('requirements.txt');
  return text !== null && /^\s*[^\s#]/m.test(text) ? 'requirements.txt' : null;
}

/** Packages that everybody knows, and that are called as their modules are. */
const wellKnown = new Set(
  'requests numpy pandas scipy matplotlib flask django fastapi uvicorn gunicorn starlette pydantic sqlalchemy alembic click typer rich tqdm pytest tox nox black ruff mypy flake8 pylint isort coverage hypothesis jinja2 markupsafe werkzeug celery redis pymongo boto3 botocore httpx aiohttp lxml html5lib scrapy selenium playwright pillow opencv torch torchvision tensorflow keras transformers datasets sklearn seaborn plotly bokeh dash streamlit gradio sympy networkx numba cython nltk spacy gensim paramiko fabric invoke ansible cryptography bcrypt passlib toml tomli orjson ujson simplejson jsonschema marshmallow attrs cattrs arrow pendulum pytz tzdata psutil watchdog docker kubernetes openai anthropic tiktoken langchain wheel setuptools build twine poetry virtualenv ipython jupyter notebook colorama termcolor tabulate prettytable regex chardet charset_normalizer idna urllib3 certifi six mock faker freezegun responses markdown mkdocs sphinx docutils pygments babel wtforms peewee psycopg asyncpg pymysql aiofiles websockets grpc protobuf pyarrow polars duckdb xgboost lightgbm catboost statsmodels'.split(
    ' ',
  ),
);

/** Below what a brain answers with: a name out of a traceback may be anybody's package. It is for a person. */
const UNSURE = 0.4;

/** Known by the table or to everybody, or named by the project. Where nobody can look, whoever reads it decides. */
async function isTrusted(seen: SeenFailure, module: string, spelt: string): Promise<boolean> {
  if (Object.hasOwn(packageNames, module) || wellKnown.has(module)) return true;
  const entries = await seen.probe.entries('.');
  if (entries === null) return true;
  const lists = entries.filter((name) =>
    /^(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml)$/.test(name),
  );
  for (const file of lists) {
    const text = await seen.probe.readText(file);
    if (text !== null && new RegExp(`(?<![\\w-])${spelt}(?![\\w-])`, 'i').test(text)) return true;
  }
  return false;
}

/** pip of the interpreter that the command uses. */
async function pipOf(seen: SeenFailure): Promise<string> {
  const python = seen.tree.simples.find(({ program }) => /^python[\d.]*$/.test(program));
  const name = python?.name.value;
  if (name?.includes('/') === true) return `${shellWord(name)} -m pip`;
  if (name === undefined || name === 'python') return 'pip';
  return (await seen.probe.which('pip')) === null ? 'pip' : `${name} -m pip`;
}

/** The folder has a virtual environment that has the module, and it is not active. */
async function environmentWith(seen: SeenFailure, module: string): Promise<Mend | null> {
  for (const folder of ['.venv', 'venv', 'env']) {
    if ((await seen.probe.kind(`${folder}/bin/activate`)) !== 'file') continue;
    const versions = ((await seen.probe.entries(`${folder}/lib`)) ?? []).filter((entry) =>
      entry.startsWith('python'),
    );
    for (const version of versions) {
      const site = `${folder}/lib/${version}/site-packages`;
      const kinds = [
        await seen.probe.kind(`${site}/${module}`),
        await seen.probe.kind(`${site}/${module}.py`),
      ];
      if (!kinds.includes('dir') && !kinds.includes('file')) continue;
      return {
        steps: [{ title: `Use the environment ${folder}`, command: `. ${folder}/bin/activate` }],
        reasoning: `\`${module}\` is installed in \`${folder}\`, which is not active.`,
        confidence: 0.92,
      };
    }
  }
  return null;
}

function pipItself(seen: SeenFailure): Mend | null {
  const python = seen.tree.simples.find(({ program }) => /^python[\d.]*$/.test(program));
  if (python === undefined) return null;
  return {
    steps: [
      { title: 'Give Python its pip', command: `${shellWord(python.name.value)} -m ensurepip --upgrade` },
    ],
    reasoning: 'This Python has no pip; ensurepip brings the one that comes with it.',
    confidence: 0.78,
  };
}

export const externallyManaged: MendingRule = {
  id: 'pip-externally-managed',
  about: 'The system manages this Python: packages go into a virtual environment of the folder.',
  async propose(seen) {
    if (!/externally-managed-environment/.test(seen.output)) return null;
    const simple = byProgram(seen, 'pip', 'pip3', 'python', 'python3').at(-1);
    if (
      simple === undefined ||
      simple.prefixes.length > 0 ||
      simple.name.value.startsWith('/') ||
      hasFlag(simple, '--user')
    )
      return null;
    return {
      steps: await useEnvironment(seen),
      reasoning:
        'The system manages this Python and does not let pip change it; a virtual environment in the folder is free.',
      confidence: 0.88,
    };
  },
};

export const noVenv: MendingRule = {
  id: 'python-venv-missing',
  about: 'Debian keeps venv in a package of its own, and says which.',
  async propose(seen) {
    const name = /apt(?:-get)? install (python3[\d.]*-venv)/.exec(seen.output)?.[1];
    if (name === undefined || !/ensurepip is not\s+available/.test(seen.output)) return null;
    const command = await asRoot(seen, `apt-get install -y ${name}`);
    return {
      steps: [{ title: `Install ${name}`, command }],
      reasoning: `Python's venv needs the package \`${name}\` here.`,
      confidence: 0.88,
    };
  },
};

export const scriptExtension: MendingRule = {
  id: 'script-extension',
  about: 'A script was named without its extension.',
  async propose(seen) {
    const simple: Simple | undefined = byProgram(seen, 'python', 'python3', 'node', 'ruby', 'perl')[0];
    const extension = { python: '.py', python3: '.py', node: '.js', ruby: '.rb', perl: '.pl' }[
      simple?.program ?? ''
    ];
    const word = simple?.args.find((arg) => !arg.value.startsWith('-'));
    if (
      simple === undefined ||
      extension === undefined ||
      word?.literal !== true ||
      /\.\w+$/.test(word.value)
    )
      return null;
    if (!/can't open file|Cannot find module|No such file or directory/.test(seen.output)) return null;
    const path = `${word.value}${extension}`;
    const [kind, bare] = [await seen.probe.kind(path), await seen.probe.kind(word.value)];
    if (!(kind === 'file' && bare === 'absent') && !(kind === null && bare === null)) return null;
    return {
      modify: replaceWords(seen.tree, [[word, path]]),
      reasoning: `There is no \`${word.value}\`; a script ends in \`${extension}\`.`,
      confidence: kind === null ? 0.6 : 0.9,
    };
  },
};

export const userInstall: MendingRule = {
  id: 'pip-user',
  about: 'pip may not write where the system keeps its packages, and names the flag for those of the user.',
  propose(seen) {
    const simple = byProgram(seen, 'pip', 'pip3')[0];
    if (
      simple === undefined ||
      verbOf(simple)?.value !== 'install' ||
      hasFlag(simple, '--user', '--target', '-t')
    )
      return null;
    if (!/Permission denied/.test(seen.output) || !/using the `--user` option/.test(seen.output)) return null;
    return {
      modify: insertAfter(seen.tree, verbOf(simple)!, '--user'),
      reasoning: 'pip may not write into the system; --user installs for this user, as it says.',
      confidence: 0.8,
    };
  },
};
