import { join } from 'node:path/posix';
import { type Simple, shellWord } from '../../../core/shell/index.ts';
import { insertBefore, splice } from '../command/edit.ts';
import type { Mend, SeenFailure } from './rule.ts';

/** Where projects keep their own modules, and copies of those of others. */
const sources = ['src', 'lib', 'libs', 'vendor', 'third_party', 'python', 'packages'];
const stores = ['wheels', 'wheelhouse', 'vendor', 'vendor/wheels', 'deps', 'dist', 'packages', 'third_party'];
const nodeStores = [...sources, 'deps', 'tools', 'local'];

/** A module that lies in the project but not where Python looks, or whose wheel does. No network is needed for it. */
export async function pythonModuleHere(seen: SeenFailure, module: string): Promise<Mend | null> {
  for (const folder of sources) {
    const isPackage = (await seen.probe.kind(`${folder}/${module}`)) === 'dir';
    if (!isPackage && (await seen.probe.kind(`${folder}/${module}.py`)) !== 'file') continue;
    return {
      ...(await lookingInto(seen, folder)),
      reasoning: `The module \`${module}\` is in \`${folder}\`, where Python does not look by itself.`,
      confidence: 0.88,
    };
  }
  const wheel = await storedFile(seen, stores, (name) => isWheelOf(name, module));
  if (wheel === null) return null;
  const isActive = (await seen.probe.hasEnv('VIRTUAL_ENV')) === true;
  const environment = isActive ? [] : await useEnvironment(seen);
  // By its path, the environment is known to be the project's before it is used.
  const python = isActive ? 'python3' : '.venv/bin/python3';
  const install = {
    title: `Install ${module} from ${wheel.folder}`,
    command: `${python} -m pip install --no-index --find-links ${wheel.folder} ${shellWord(module)}`,
  };
  return {
    steps: [...environment.slice(0, -1), install, ...environment.slice(-1)],
    reasoning: `The project keeps \`${module}\` as a wheel (${wheel.folder}/${wheel.name}); it is installed from there.`,
    confidence: 0.88,
  };
}

/** Python looks into this folder too: for its one command here, or, where another program calls it, from now on. */
export async function lookingInto(
  seen: SeenFailure,
  folder: string,
): Promise<{ modify: string } | { steps: { title: string; command: string }[] }> {
  const python = seen.tree.simples.filter(({ program }) => /^(?:python[\d.]*|pytest)$/.test(program));
  if (python.length === 1 && (await seen.probe.hasEnv('PYTHONPATH')) === false)
    return { modify: withPath(seen, python[0]!, folder) };
  const command = `export PYTHONPATH="$PWD/${folder}\${PYTHONPATH:+:$PYTHONPATH}"`;
  return { steps: [{ title: `Let Python look into ${folder}`, command }] };
}

/** Before what the command itself says to Python of where to look. */
function withPath({ tree }: SeenFailure, python: Simple, folder: string): string {
  const own = python.assignments.find((text) => text.startsWith('PYTHONPATH='));
  if (own === undefined) return insertBefore(tree, python, `PYTHONPATH=${folder}`);
  const pos = tree.text.indexOf(own, python.pos) + 'PYTHONPATH='.length;
  return splice(tree.text, [{ pos, end: pos, text: `${folder}:` }]);
}

/** The virtual environment of the folder, made where there is none. */
export async function useEnvironment(seen: SeenFailure): Promise<{ title: string; command: string }[]> {
  const activate = { title: 'Use the virtual environment', command: '. .venv/bin/activate' };
  if ((await seen.probe.kind('.venv/bin/activate')) === 'file') return [activate];
  return [{ title: 'Make a virtual environment', command: 'python3 -m venv .venv' }, activate];
}

const plain = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

const isWheelOf = (file: string, module: string): boolean =>
  file.endsWith('-none-any.whl') && plain(file.split('-')[0]!) === plain(module);

/** A package that lies in the project as a tarball or a folder. */
export async function nodePackageHere(seen: SeenFailure, name: string): Promise<Mend | null> {
  const file = name.replace(/^@/, '').replace('/', '-');
  const tarball = await storedFile(
    seen,
    nodeStores,
    (entry) => entry.startsWith(`${file}-`) && /^\d[\w.+-]*\.tgz$/.test(entry.slice(file.length + 1)),
  );
  const place = tarball === null ? await packageFolder(seen, name) : join(tarball.folder, tarball.name);
  if (place === null) return null;
  const command = `npm install --no-save ${shellWord(`./${place}`)}`;
  return {
    steps: [{ title: `Install ${name} from ${place}`, command }],
    reasoning: `The project keeps \`${name}\` in \`${place}\`; it is installed from there.`,
    confidence: 0.88,
  };
}

async function packageFolder(seen: SeenFailure, name: string): Promise<string | null> {
  for (const folder of nodeStores) {
    const place = `${folder}/${name.split('/').at(-1)}`;
    const text = await seen.probe.readText(`${place}/package.json`);
    if (text !== null && new RegExp(`"name"\\s*:\\s*"${name.replace(/[.]/g, '\\.')}"`).test(text))
      return place;
  }
  return null;
}

/** The only file of that kind in the folders; null where there are several. */
async function storedFile(
  seen: SeenFailure,
  folders: readonly string[],
  isIt: (name: string) => boolean,
): Promise<{ folder: string; name: string } | null> {
  const found: { folder: string; name: string }[] = [];
  for (const folder of folders) {
    for (const name of (await seen.probe.entries(folder)) ?? []) if (isIt(name)) found.push({ folder, name });
  }
  return found.length === 1 ? found[0]! : null;
}
