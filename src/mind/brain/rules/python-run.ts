import { dirname } from 'node:path/posix';
import { shellWord } from '../../../core/shell/index.ts';
import { replaceWords, splice } from '../command/edit.ts';
import { nearestExisting } from './missing-path.ts';
import { byProgram, type MendingRule } from './rule.ts';
import { scriptOf } from './scripts.ts';
import { meant } from './similar.ts';

/** What is run by `-m`: of Python itself, and of packages that everybody has. */
const runnable =
  'http.server json.tool venv pip ensurepip unittest doctest timeit cProfile pdb zipfile tarfile compileall py_compile calendar webbrowser site sysconfig ast tokenize trace pydoc pytest tox nox black ruff mypy flake8 pylint isort coverage build twine virtualenv flask django uvicorn gunicorn ipykernel jupyter poetry'.split(
    ' ',
  );

export const misspeltModule: MendingRule = {
  id: 'python-module-misspelt',
  about: 'Python is to run a module that there is not, one slip away from one that everybody knows.',
  propose(seen) {
    const [, whole, part] =
      /python[\d.]*: (?:No module named ([\w.]+)|Error while finding module specification for '([\w.]+)')/.exec(
        seen.output,
      ) ?? [];
    const named = whole ?? part;
    const python = byProgram(seen, 'python', 'python3').at(-1);
    const at = python?.args.findIndex(({ value }) => value === '-m') ?? -1;
    const word = at < 0 ? undefined : python?.args[at + 1];
    if (named === undefined || word?.literal !== true || word.value !== named) return null;
    const right = runnable.includes(named) ? null : meant(named, runnable);
    if (right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word, right]]),
      reasoning: `There is no module \`${named}\`; \`${right}\` is one slip away.`,
      confidence: 0.86,
    };
  },
};

export const misspeltTests: MendingRule = {
  id: 'python-tests-misspelt',
  about: 'A module of tests, or a part of its path, is one slip away from one of the project.',
  async propose(seen) {
    const named = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(seen.output)?.[1];
    const python = byProgram(seen, 'python', 'python3').at(-1);
    const words = python?.args ?? [];
    const at = words.findIndex(
      ({ value }, place) => value === 'unittest' && words[place - 1]?.value === '-m',
    );
    const word = words.slice(at + 1).find(({ value }) => !value.startsWith('-'));
    if (named === undefined || at < 0 || word?.literal !== true || !`${word.value}.`.startsWith(`${named}.`))
      return null;
    const path = named.replaceAll('.', '/');
    const real = (await nearestExisting(seen, `${path}.py`)) ?? (await nearestExisting(seen, path));
    const right = real?.replace(/\.py$/, '').replaceAll('/', '.');
    if (right === undefined || !/^[\w.]+$/.test(right)) return null;
    return {
      modify: replaceWords(seen.tree, [[word, right + word.value.slice(named.length)]]),
      reasoning: `There is no module \`${named}\`; \`${right}\` is one slip away.`,
      confidence: 0.87,
    };
  },
};

export const partOfPackage: MendingRule = {
  id: 'python-run-as-module',
  about: 'A file of a package takes in its neighbours, which it can only as a module of that package.',
  async propose(seen) {
    if (!/attempted relative import with no known parent package/.test(seen.output)) return null;
    const python = byProgram(seen, 'python', 'python3').at(-1);
    const script = python === undefined ? null : scriptOf(python);
    const path = script?.replace(/^\.\//, '') ?? '';
    const word = python?.args.find(({ value }) => value === script);
    if (python === undefined || word === undefined || !/^(?:[A-Za-z_]\w*\/)+[A-Za-z_]\w*\.py$/.test(path))
      return null;
    // The package is the folder above which there is none of its kind.
    let top = dirname(path);
    if ((await seen.probe.kind(`${top}/__init__.py`)) !== 'file') return null;
    while (top.includes('/') && (await seen.probe.kind(`${dirname(top)}/__init__.py`)) === 'file')
      top = dirname(top);
    const root = dirname(top);
    const isHere = root === '.';
    if (!isHere && (await seen.probe.hasEnv('PYTHONPATH')) !== false) return null;
    const module = (isHere ? path : path.slice(root.length + 1)).replace(/\.py$/, '').replaceAll('/', '.');
    return {
      modify: splice(seen.command, [
        { pos: word.pos, end: word.end, text: `-m ${module}` },
        ...(isHere ? [] : [{ pos: python.pos, end: python.pos, text: `PYTHONPATH=${shellWord(root)} ` }]),
      ]),
      reasoning: `\`${path}\` belongs to the package \`${top}\`; run as a module of it, it finds its neighbours.`,
      confidence: 0.9,
    };
  },
};
