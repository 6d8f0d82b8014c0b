import type { Word } from '../../shell/index.ts';

/** Variables that stand for a program by convention: whoever writes `$PYTHON -m pip` means python. */
const programs = new Map(
  'PYTHON=python3 PYTHON3=python3 PIP=pip PIP3=pip3 NODE=node NPM=npm PNPM=pnpm YARN=yarn RUBY=ruby PERL=perl PHP=php GO=go CARGO=cargo RUSTC=rustc JAVA=java JAVAC=javac MVN=mvn CC=cc CXX=c++ LD=ld AR=ar MAKE=make CMAKE=cmake DOCKER=docker PODMAN=podman KUBECTL=kubectl HELM=helm TERRAFORM=terraform'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** The variable that a word is, and nothing else: `$PYTHON`, `"${PYTHON}"`. */
export function variableOf(word: Word): string | undefined {
  const [, one, other] = /^"?\$(?:([A-Z_][A-Z0-9_]*)|\{([A-Z_][A-Z0-9_]*)\})"?$/.exec(word.text) ?? [];
  return one ?? other;
}

export const programFor = (variable: string): string | undefined => programs.get(variable);

/** Commands whose output is made to be evaluated: it sets the shell up for them. */
const setup =
  /^(?:\S*\/)?(?:ssh-agent(?: -[sc])?|brew shellenv(?: \w+)?|(?:pyenv|rbenv|nodenv|goenv|jenv|plenv) init(?: -| --path| \w+)*|direnv hook \w+|(?:zoxide|starship|thefuck|atuin) init \w+|mise activate(?: \w+)?|fnm env(?: --use-on-cd)?|opam env|dircolors(?: -b)?|lesspipe(?:\.sh)?|conda shell\.\w+ hook|minikube(?: -p \w+)? docker-env|(?:gh|kubectl|helm) completion(?: -s)? \w+)$/;

/** `"$(ssh-agent -s)"`: text that is only known when it runs, and known for what it is. */
export function setsUp(text: string): boolean {
  const [, one, other] = /^"?(?:\$\(([^()$`]*)\)|`([^`$]*)`)"?$/.exec(text) ?? [];
  return setup.test((one ?? other ?? '').trim());
}
