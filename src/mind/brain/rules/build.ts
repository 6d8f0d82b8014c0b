import { insertAfter, replaceWords, splice } from '../command/edit.ts';
import { isAbsent } from './absent.ts';
import { makefileOf } from './compile.ts';
import { programMeant } from './missing-program.ts';
import { isVerb, type MendingRule, onCommand, only, operands } from './rule.ts';
import { meant } from './similar.ts';
import { targetsIn } from './targets.ts';

export const makeTarget = onCommand({
  id: 'make-target',
  about: 'The makefile has no such target, but one that is a slip away.',
  programs: ['make', 'gmake', 'cmake'],
  says: /No rule to make target [`'"‘]([^'"’\n]+)['"’]\.\s+Stop/,
  async propose(seen, { args }, [, target]) {
    const word = args.find((arg) => arg.literal && arg.value === target);
    if (word === undefined) return null;
    // CMake asks the makefile that it has made.
    const flag = args.findIndex(({ value }) => value === '-f' || value === '--build');
    const named = flag < 0 ? undefined : args[flag + 1]?.value;
    const file = args[flag]?.value === '--build' ? `${named}/Makefile` : named;
    const own = file === undefined ? null : await seen.probe.readText(file);
    const targets = targetsIn(own ?? (await makefileOf(seen)) ?? '');
    const right = meant(word.value, targets);
    if (right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word, right]]),
      reasoning: `The makefile has no target \`${word.value}\`; it has \`${right}\`.`,
      confidence: 0.9,
    };
  },
});

export const goGet: MendingRule = {
  id: 'go-get',
  about: 'Go names the command by which the missing package or checksum is added.',
  propose(seen) {
    const simple = only(seen, 'go');
    if (simple === null) return null;
    const told =
      /to add (?:it|missing entries|the missing [^\n]*):\s*\n?\s*(go (?:get|mod download|mod tidy)[^\n]*)/.exec(
        seen.output,
      )?.[1] ??
      /to (?:update it|sync the vendor directory, run|add):\s*\n\s*(go (?:mod (?:tidy|download|vendor)|get)[^\n]*)/.exec(
        seen.output,
      )?.[1] ??
      /run '?(go mod (?:tidy|vendor|download))'?/.exec(seen.output)?.[1];
    const command = told?.trim().replace(/[.'`]$/, '');
    if (command === undefined || /[<>$;|&]/.test(command) || isVerb(simple, 'get')) return null;
    return {
      steps: [{ title: `Run ${command}, as Go asks`, command }],
      reasoning: `Go names what is missing and how to add it: \`${command}\`.`,
      confidence: 0.9,
    };
  },
};

export const goFile = onCommand({
  id: 'go-run-file',
  about: 'go run was given a file without its extension.',
  programs: ['go'],
  says: /is not in (?:std|GOROOT)|no required module provides package|cannot find package/,
  async propose({ tree, probe }, simple) {
    const word = operands(simple)[1];
    if (word === undefined || !isVerb(simple, 'run') || /[./]/.test(word.value)) return null;
    if ((await probe.kind(`${word.value}.go`)) === 'absent') return null;
    return {
      modify: replaceWords(tree, [[word, `${word.value}.go`]]),
      reasoning: `\`${word.value}\` is no package; the file is \`${word.value}.go\`.`,
      confidence: 0.82,
    };
  },
});

export const javaClass: MendingRule = {
  id: 'java-file-name',
  about: 'javac wants the file with its extension, java the class without.',
  async propose(seen) {
    const javac = only(seen, 'javac');
    const file = javac === null ? undefined : operands(javac).at(-1);
    if (
      javac !== null &&
      file?.literal === true &&
      !file.value.includes('.') &&
      /Class names, '\w+', are only accepted if annotation processing/.test(seen.output)
    ) {
      return {
        modify: replaceWords(seen.tree, [[file, `${file.value}.java`]]),
        reasoning: 'javac wants the name of the file.',
        confidence: 0.88,
      };
    }
    const java = only(seen, 'java');
    const name = java === null ? undefined : operands(java).at(-1);
    if (
      java === null ||
      name === undefined ||
      !/\.(?:class|java)$/.test(name.value) ||
      !/Could not find or load main class/.test(seen.output)
    )
      return null;
    return {
      modify: replaceWords(seen.tree, [[name, name.value.replace(/\.(?:class|java)$/, '')]]),
      reasoning: 'java wants the name of the class, without an extension.',
      confidence: 0.88,
    };
  },
};

export const notCompiled = onCommand({
  id: 'java-not-compiled',
  about: 'java finds no class of that name, and its source is here: it is compiled first.',
  programs: ['java'],
  says: /Could not find or load main class ([\w.$]+)/,
  unless: /^(?:-cp|-classpath|--class-path|-jar|-m|--module)(?:=|$)/,
  async propose({ probe, tree }, { args }, [, name]) {
    const path = `${name!.replaceAll('.', '/')}.java`;
    if (!args.some(({ value }) => value === name) || tree.simples.some(({ program }) => program === 'javac'))
      return null;
    const isHere = (await probe.kind(path)) === 'file' && typeof (await probe.which('javac')) === 'string';
    if (!isHere || (await probe.kind(path.replace(/java$/, 'class'))) !== 'absent') return null;
    return {
      steps: [{ title: `Compile ${path}`, command: `javac ${path}` }],
      reasoning: `\`${path}\` is here, but nobody has compiled it.`,
      confidence: 0.9,
    };
  },
});

export const makeVariable = onCommand({
  id: 'make-variable',
  about: 'A program that make is given by a variable (CC=…) is one slip away from one that exists.',
  programs: ['make', 'gmake'],
  says: /make(?:\[\d+\])?: (?:\S+\/)?([\w.+-]+): (?:No such file or directory|Command not found)/,
  async propose(seen, { args }, [, typed]) {
    const word = args.find(
      ({ value, literal }) => literal && /^\w+=/.test(value) && value.endsWith(`=${typed}`),
    );
    if (word === undefined || (await isAbsent(seen, typed!))) return null;
    const right = await programMeant(seen, typed!);
    if (right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word, word.value.replace(`=${typed}`, `=${right}`)]]),
      reasoning: `There is no \`${typed}\`; \`${right}\` is the nearest program that there is.`,
      confidence: 0.85,
    };
  },
});

/** Where builds put classes. */
const classFolders = [
  'out',
  'bin',
  'build',
  'classes',
  'target/classes',
  'build/classes/java/main',
  'out/production',
];

export const classElsewhere = onCommand({
  id: 'java-class-path',
  about:
    'java finds no class of that name where it looks, and it was compiled into one folder of the project.',
  programs: ['java'],
  says: /Could not find or load main class ([\w.$]+)/,
  unless: /^(?:-cp|-classpath|--class-path|-jar|-m|--module)(?:=|$)/,
  async propose({ probe, tree }, { name, args }, [, main]) {
    if (!args.some(({ value }) => value === main) || (await probe.hasEnv('CLASSPATH')) === true) return null;
    const file = `${main!.replaceAll('.', '/')}.class`;
    const found: string[] = [];
    for (const folder of classFolders)
      if ((await probe.kind(`${folder}/${file}`)) === 'file') found.push(folder);
    if (found.length !== 1) return null;
    return {
      modify: insertAfter(tree, name, `-cp ${found[0]}`),
      reasoning: `\`${main}\` was compiled into \`${found[0]}\`, where java does not look by itself.`,
      confidence: 0.88,
    };
  },
});

export const wrapperScript: MendingRule = {
  id: 'wrapper-script',
  about: 'The wrapper of the build is not here; the tool itself is.',
  async propose(seen) {
    const simple = seen.tree.simples.find(({ name }) => ['./gradlew', './mvnw'].includes(name.value));
    if (simple === undefined || !/No such file or directory|not found/.test(seen.output)) return null;
    const tool = simple.program === 'gradlew' ? 'gradle' : 'mvn';
    if (
      (await seen.probe.kind(simple.name.value)) !== 'absent' ||
      typeof (await seen.probe.which(tool)) !== 'string'
    )
      return null;
    return {
      modify: splice(seen.command, [{ ...simple.name, text: tool }]),
      reasoning: `There is no wrapper here; ${tool} is installed.`,
      confidence: 0.8,
    };
  },
};
