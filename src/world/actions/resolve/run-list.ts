import type { AndOr, Pipeline, Statement, SyntaxNode, Word } from '../../../core/shell/index.ts';
import { expandWord, type Field } from './expand-word.ts';
import { expansionOf, type Interpreter, type Status } from './interpreter.ts';
import { runCommand } from './run-command.ts';
import { readRedirects } from './run-redirects.ts';
import { copyState, mergeInto, type ShellState } from './shell-state.ts';
import { loseAssigned, visit, visitWord } from './visit.ts';

const MAX_ROUNDS = 1000;

/** Reads statements in order. Changes `state` to what it is behind them. */
export function runList(statements: readonly Statement[], state: ShellState, it: Interpreter): Status {
  let status: Status = 'ok';
  for (const statement of statements) {
    if (state.ended) return status;
    const where = statement.background ? copyState(state) : state;
    status = runNode(statement.command, where, it);
    if (statement.background) status = 'ok';
    else if (status === 'failed' && state.stopsOnFailure && statement.command.type === 'Command')
      state.ended = true;
  }
  return status;
}

export function runNode(node: SyntaxNode, state: ShellState, it: Interpreter): Status {
  switch (node.type) {
    case 'Command':
      return runCommand(node, state, it);
    case 'AndOr':
      return runChain(node, state, it);
    case 'Pipeline':
      return runPipeline(node, state, it);
    case 'Redirected':
      readRedirects(node.redirects, state, it);
      return runNode(node.command, state, it);
    case 'BraceGroup':
      return runList(node.body.commands, state, it);
    case 'CompoundList':
      return runList(node.commands, state, it);
    case 'Subshell':
      return runList(node.body.commands, copyState(state), it);
    case 'If': {
      const branches = [node, ...node.elif];
      const ends: ShellState[] = [];
      for (const branch of branches) {
        runList(branch.clause.commands, state, it);
        const taken = copyState(state);
        runList(branch.then.commands, taken, it);
        ends.push(taken);
      }
      const other = copyState(state);
      if (node.else) runList(node.else.commands, other, it);
      mergeInto(state, [...ends, other]);
      return 'unknown';
    }
    case 'Case': {
      visitWord(node.word, state, it);
      const ends = node.items.map((item) => {
        const taken = copyState(state);
        runList(item.body.commands, taken, it);
        return taken;
      });
      mergeInto(state, [...ends, state]);
      return 'unknown';
    }
    case 'For':
      return runFor(node.name.value, node.wordlist, node.body.commands, state, it);
    case 'Select':
      state.vars.set(node.name.value, undefined);
      return runLoop([node.body.commands], node, state, it);
    case 'While':
      return runLoop([node.clause.commands, node.body.commands], node, state, it);
    case 'ArithmeticFor':
      return runLoop([node.body.commands], node, state, it);
    case 'Function':
      state.functions.set(node.name.value, node.body);
      return 'ok';
    case 'Coproc':
      runNode(node.body, copyState(state), it);
      return 'unknown';
    default:
      visit(node, state, it);
      return 'unknown';
  }
}

/**
 * `a && b || c`. Where it is not known how a part ends, `fallen` keeps the states in which the chain may have been
 * left or gone on behind the next `||`.
 */
function runChain(node: AndOr, state: ShellState, it: Interpreter): Status {
  let status: Status = 'ok';
  let fallen: ShellState[] = [];
  for (const [index, command] of node.commands.entries()) {
    if (state.ended && fallen.length === 0) return status;
    if (index === 0 || node.operators[index - 1] === '&&') {
      if (status === 'failed' || state.ended) continue;
      if (status === 'unknown') fallen.push(copyState(state));
      status = runNode(command, state, it);
      continue;
    }
    if (status === 'ok' && fallen.length === 0) continue;
    const well = status === 'failed' ? [] : [copyState(state)];
    const taken = copyState(state);
    mergeInto(taken, status === 'ok' ? fallen : [...fallen, copyState(state)]);
    const then = runNode(command, taken, it);
    mergeInto(state, [...well, taken]);
    status = well.length === 0 ? then : 'unknown';
    fallen = [];
  }
  if (fallen.length === 0) return status;
  mergeInto(state, [copyState(state), ...fallen]);
  return 'unknown';
}

/** Each part runs in a shell of its own. */
function runPipeline(node: Pipeline, state: ShellState, it: Interpreter): Status {
  const only = node.commands.length === 1 ? node.commands[0] : undefined;
  if (only) {
    const status = runNode(only, state, it);
    return node.prefixes.some((prefix) => prefix.type === 'Negation') ? 'unknown' : status;
  }
  for (const command of node.commands) runNode(command, copyState(state), it);
  return 'unknown';
}

/** Goes round for each word where all of them are known, and once with an unknown variable where not. */
function runFor(
  name: string,
  words: readonly Word[] | undefined,
  body: readonly Statement[],
  state: ShellState,
  it: Interpreter,
): Status {
  const values: Field[] = [];
  let known = words !== undefined;
  for (const word of words ?? []) {
    visitWord(word, state, it);
    const made = expandWord(word, expansionOf(it, state));
    if (made) values.push(...made);
    else known = false;
  }
  if (!known || values.length > MAX_ROUNDS || values.length * body.length > it.progress.commands) {
    const round = copyState(state);
    round.vars.set(name, undefined);
    for (const statement of body) loseAssigned(statement, round);
    runList(body, round, it);
    mergeInto(state, [state, round]);
    state.vars.set(name, undefined);
    return 'unknown';
  }
  for (const { value } of values) {
    if (state.ended) break;
    state.vars.set(name, value);
    runList(body, state, it);
  }
  return 'unknown';
}

/** A loop that goes round an unknown number of times: what it assigns is not known inside it either. */
function runLoop(
  lists: readonly (readonly Statement[])[],
  node: SyntaxNode,
  state: ShellState,
  it: Interpreter,
): Status {
  const round = copyState(state);
  loseAssigned(node, round);
  for (const list of lists) runList(list, round, it);
  mergeInto(state, [state, round]);
  return 'unknown';
}
