import { dirname, join } from 'node:path/posix';
import type { Simple } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, insertBefore } from '../command/edit.ts';
import { isSlipOfFolder } from './missing-path.ts';
import { hasFlag, type MendingRule, operands, type SeenFailure } from './rule.ts';

export const compilers = /^(?:(?:gcc|g\+\+|clang|clang\+\+)(?:-\d+)?|cc|c\+\+|c99|c11|tcc)$/;
const makes = /^g?make$/;

/** What a linker misses by the library that has it. */
const libraries: readonly (readonly [flag: string, symbols: RegExp])[] = [
  [
    '-lm',
    /^(?:a?(?:sin|cos|tan)h?|atan2|sqrt|cbrt|pow|exp[2m]?1?|log(?:10|2|1p|b)?|floor|ceil|l?l?round|trunc|l?l?rint|nearbyint|fabs|fmod|remainder|fmin|fmax|fma|hypot|erfc?|[tl]gamma|ldexp|frexp|modf|copysign)[fl]?$/,
  ],
  ['-pthread', /^(?:pthread_\w+|sem_\w+)$/],
  ['-ldl', /^dl(?:open|sym|close|error)$/],
  ['-lrt', /^(?:shm_(?:open|unlink)|timer_\w+|mq_\w+|aio_\w+|clock_\w+)$/],
  [
    '-lz',
    /^(?:(?:in|de)flate(?:Init2?_|End|Reset)?|(?:un)?compress2?|compressBound|crc32|adler32|gz(?:open|read|write|close|puts|gets|printf)|zlibVersion)$/,
  ],
  ['-lncurses', /^(?:initscr|endwin|printw|mvprintw|wgetch|stdscr|newwin|w?refresh|cbreak|noecho)$/],
  ['-lcrypt', /^crypt(?:_r)?$/],
  ['-lsqlite3', /^sqlite3_\w+$/],
  ['-lcurl', /^curl_\w+$/],
  ['-lstdc++', /^(?:std::|operator (?:new|delete)|vtable for |__gxx_personality|__cxa_)/],
];

export const missingLibrary: MendingRule = {
  id: 'link-library',
  about: 'The linker misses functions that one well-known library has: it is named behind what needs it.',
  async propose(seen) {
    const missing = [
      ...seen.output.matchAll(/undefined reference to [`'‘]([^'’\n]+)['’]/g),
      ...seen.output.matchAll(/undefined symbol: (\S+)/g),
    ].map(([, name]) => name!.replace(/@.*$/, ''));
    const flags = missing.map((name) => libraries.find(([, symbols]) => symbols.test(name))?.[0]);
    if (flags.length === 0 || flags.includes(undefined)) return null;
    const wanted = [...new Set(flags)].join(' ');
    const tool = builder(seen);
    if (tool === null || hasFlag(tool, ...wanted.split(' '))) return null;
    const reasoning = `\`${missing[0]}\` is in a library that is linked with ${wanted}.`;
    if (compilers.test(tool.program))
      return {
        modify: insertAfter(seen.tree, tool.args.at(-1) ?? tool.name, wanted),
        reasoning,
        confidence: 0.92,
      };
    const setting = await libraryVariable(seen, wanted);
    if (setting === null) return null;
    return {
      modify: insertAfter(seen.tree, tool.args.at(-1) ?? tool.name, shellWord(setting)),
      reasoning,
      confidence: 0.86,
    };
  },
};

export const otherSource: MendingRule = {
  id: 'link-source',
  about: 'The linker misses functions that one other source in the same folder has: it is compiled with it.',
  async propose(seen) {
    const missing = [...seen.output.matchAll(/undefined reference to [`'‘](\w+)['’]/g)].map(
      ([, name]) => name!,
    );
    const tool = builder(seen);
    const sources = tool === null ? [] : operands(tool).filter(({ value }) => source.test(value));
    const last = sources.at(-1);
    if (missing.length === 0 || missing.includes('main') || tool === null || last === undefined) return null;
    if (!compilers.test(tool.program) || hasFlag(tool, '-c', '-shared')) return null;
    const folder = dirname(last.value);
    const ending = source.exec(last.value)?.[0];
    const found: string[] = [];
    for (const name of ((await seen.probe.entries(folder)) ?? []).slice(0, 60)) {
      const path = folder === '.' ? name : join(folder, name);
      if (!name.endsWith(ending!) || sources.some(({ value }) => join(value) === path)) continue;
      const text = (await seen.probe.readText(path)) ?? '';
      if (!defines(text, 'main') && missing.every((each) => defines(text, each))) found.push(path);
    }
    if (found.length !== 1) return null;
    return {
      modify: insertAfter(seen.tree, last, shellWord(found[0]!)),
      reasoning: `\`${missing[0]}\` is in \`${found[0]}\`, which was not compiled with it.`,
      confidence: 0.88,
    };
  },
};

const source = /\.(?:c|cc|cpp|cxx)$/;

/** Whether a source has the body of a function, and not only its name. */
const defines = (text: string, name: string): boolean =>
  new RegExp(`^[A-Za-z_][\\w\\s*&:<>]*\\b${name}\\s*\\([^;{)]*\\)\\s*\\{`, 'm').test(text);

/** The one compiler or make of the command. */
function builder(seen: SeenFailure): Simple | null {
  const found = seen.tree.simples.filter(({ program }) => compilers.test(program) || makes.test(program));
  return found.length === 1 ? found[0]! : null;
}

/**
 * The variable by which the makefile takes libraries, with what it holds already. make's own rules have LDLIBS; what a
 * makefile computes is not known here.
 */
async function libraryVariable(seen: SeenFailure, wanted: string): Promise<string | null> {
  const text = await makefileOf(seen);
  const isOwn = /\[<builtin>: /.test(seen.output);
  const name = isOwn
    ? 'LDLIBS'
    : ['LDLIBS', 'LIBS', 'LOADLIBES'].find((each) => text?.includes(`$(${each})`) === true);
  if (name === undefined) return null;
  const held = new RegExp(`^\\s*${name}\\s*[:?+]?=[ \\t]*(.*)$`, 'm').exec(text ?? '')?.[1]?.trim() ?? '';
  return held.includes('$') ? null : `${name}=${[held, wanted].filter((part) => part !== '').join(' ')}`;
}

export async function makefileOf({ probe }: SeenFailure): Promise<string | null> {
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const text = await probe.readText(name);
    if (text !== null) return text;
  }
  return null;
}

export const missingHeader: MendingRule = {
  id: 'header-folder',
  about: 'The compiler does not find a header that lies in one folder of the project: it is told where.',
  async propose(seen) {
    const header =
      /fatal error: ([^\s:]+\.(?:h|hh|hpp|hxx|inc)): No such file or directory/.exec(seen.output)?.[1] ??
      /fatal error: '([^'\n]+)' file not found/.exec(seen.output)?.[1];
    const tool = builder(seen);
    if (header === undefined || tool === null || header.startsWith('/')) return null;
    const folder = await folderWith(seen, header);
    if (folder === null || tool.args.some(({ value }) => value === `-I${folder}`)) return null;
    const reasoning = `\`${header}\` is in \`${folder}\`, where the compiler does not look by itself.`;
    if (compilers.test(tool.program))
      return {
        modify: insertAfter(seen.tree, tool.name, shellWord(`-I${folder}`)),
        reasoning,
        confidence: 0.92,
      };
    // Whatever the makefile does with its variables, the compiler reads this one.
    return {
      modify: insertBefore(seen.tree, tool, `CPATH=${shellWord(folder)}`),
      reasoning,
      confidence: 0.86,
    };
  },
};

/** The only folder, at most three down, from which the header is found by the name by which it is included. */
async function folderWith(seen: SeenFailure, header: string): Promise<string | null> {
  const found: string[] = [];
  let level = ['.'];
  for (let depth = 0; depth < 3; depth++) {
    const below: string[] = [];
    for (const folder of level.slice(0, 30)) {
      for (const name of (await seen.probe.entries(folder)) ?? []) {
        if (name.startsWith('.') || name.includes('.') || name === 'node_modules') continue;
        const path = folder === '.' ? name : join(folder, name);
        if ((await seen.probe.kind(path)) !== 'dir') continue;
        below.push(path);
        if ((await seen.probe.kind(join(path, header))) === 'file') found.push(path);
      }
    }
    // What is nearer is meant, and two that are as near are none.
    if (found.length > 0) return found.length === 1 ? found[0]! : null;
    level = below;
  }
  return null;
}

/** Where a build of CMake is: `cmake --build X`, `-B X`, or the folder that make or ninja works in. */
function buildFolder(simple: Simple): string | null {
  const at = simple.args.findIndex(({ value }) => ['--build', '-B', '-C', '--test-dir'].includes(value));
  const glued = simple.args.find(({ value }) => /^-[BC]./.test(value))?.value.slice(2);
  return simple.args[at + 1]?.value !== undefined && at >= 0 ? simple.args[at + 1]!.value : (glued ?? null);
}

const stale =
  /is different than the directory \S+\s+where\s+CMakeCache\.txt was created|does not match the source\s+"[^"]+"\s+used to generate cache|Does not match the generator used previously/;
const unconfigured =
  /could not load cache|is not a directory|No such file or directory|no makefile found|No rule to make target|loading 'build\.ninja'/;

export const cmakeConfigure: MendingRule = {
  id: 'cmake-configure',
  about: 'A build of CMake was not configured yet, or somewhere else: it is configured, the cache made anew.',
  async propose(seen) {
    const found = seen.tree.simples.filter(({ program }) => /^(?:cmake|g?make|ninja|ctest)$/.test(program));
    const isStale = stale.test(seen.output);
    // Of a whole build it is the configuring that finds the old cache.
    const first = found.find((each) => each.program === 'cmake' && !hasFlag(each, '--build', '--install'));
    const simple = found.length === 1 ? found[0]! : isStale ? first : undefined;
    if (simple === undefined) return null;
    if (simple.program === 'cmake' && !hasFlag(simple, '--build', '--install')) {
      if (!isStale || hasFlag(simple, '--fresh')) return null;
      return {
        modify: insertAfter(seen.tree, simple.name, '--fresh'),
        reasoning: 'The cache of CMake was made for another folder or generator; --fresh makes it anew.',
        confidence: 0.88,
      };
    }
    if (!isStale && !unconfigured.test(seen.output)) return null;
    const named = buildFolder(simple);
    const here = (path: string): Promise<boolean> => seen.probe.kind(path).then((kind) => kind === 'file');
    if (named !== null && !named.includes('..')) {
      // A folder that is one slip from one that is there is a slip, not a wish for a new build.
      if (!isStale && (await isSlipOfFolder(seen, named))) return null;
      const above = dirname(named);
      const source = (await here('CMakeLists.txt')) ? '.' : above;
      if (!(await here(join(source, 'CMakeLists.txt')))) return null;
      if (!isStale && (await here(join(named, 'CMakeCache.txt')))) return null;
      const words = `-S ${shellWord(source)} -B ${shellWord(named)}`;
      return configure(`${isStale ? '--fresh ' : ''}${words}`, simple, isStale);
    }
    if (named !== null || simple.program === 'cmake') return null;
    if (!isStale && ((await makefileOf(seen)) !== null || (await here('CMakeCache.txt')))) return null;
    const source = (await here('CMakeLists.txt')) ? '.' : (await here('../CMakeLists.txt')) ? '..' : null;
    return source === null ? null : configure(`${isStale ? '--fresh ' : ''}${source}`, simple, isStale);
  },
};

const configure = (words: string, { program }: Simple, isStale: boolean) => ({
  steps: [
    { title: 'Configure the build', command: `cmake ${program === 'ninja' ? '-G Ninja ' : ''}${words}` },
  ],
  reasoning: isStale
    ? 'The cache of CMake was made for another folder; it is made anew.'
    : 'The build has not been configured; CMake does it from CMakeLists.txt.',
  confidence: 0.88,
});

export const runConfigure: MendingRule = {
  id: 'configure-first',
  about: 'There is no makefile yet, and the configure script beside it makes one.',
  async propose(seen) {
    const simple = seen.tree.simples.find(({ program }) => makes.test(program));
    if (simple === undefined || buildFolder(simple) !== null) return null;
    if (!/no makefile found|No rule to make target/.test(seen.output) || (await makefileOf(seen)) !== null)
      return null;
    if ((await seen.probe.kind('configure')) !== 'file') return null;
    if (operands(simple).some(({ value }) => value === 'configure')) return null;
    const command = (await seen.probe.isExecutable('configure')) === true ? './configure' : 'sh configure';
    return {
      steps: [{ title: 'Configure the project', command }],
      reasoning: 'There is no makefile; the configure script of the project makes it.',
      confidence: 0.86,
    };
  },
};
