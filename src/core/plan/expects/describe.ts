import type { Expectation } from '../../contract/index.ts';
import { wholeString } from '../action/scan.ts';

/** What should hold, as the end of a sentence: "expected that …". */
export function describeExpectation(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'exit':
      return `the command exits with ${expectation.code}`;
    case 'file-exists':
      return `the file ${expectation.path} ${expectation.exists ? 'exists' : 'does not exist'}`;
    case 'dir-exists':
      return `the folder ${expectation.path} ${expectation.exists ? 'exists' : 'does not exist'}`;
    case 'file-contains':
      return `the file ${expectation.path} contains "${expectation.text}"`;
    case 'output-contains':
      return `${streamName(expectation.stream)} ${expectation.contains ? 'contains' : 'does not contain'} "${expectation.text}"`;
    case 'output-matches':
      return `${streamName(expectation.stream)} matches /${expectation.pattern}/`;
    case 'port':
      return `port ${expectation.port} is ${expectation.open ? 'open' : 'closed'}`;
    case 'url':
      return `${expectation.url} answers ${expectation.status}${containing(expectation.contains)}`;
    case 'command-exists':
      return `the command ${expectation.command} exists`;
  }
}

/** What to say when it does not hold: a whole sentence for each kind. */
export function describeUnmet(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'exit':
      return `The command did not exit with ${expectation.code}.`;
    case 'file-exists':
      return `The file ${expectation.path} ${expectation.exists ? 'does not exist' : 'still exists'}.`;
    case 'dir-exists':
      return `The folder ${expectation.path} ${expectation.exists ? 'does not exist' : 'still exists'}.`;
    case 'file-contains':
      return `The file ${expectation.path} does not contain "${expectation.text}".`;
    case 'output-contains':
      return `${capital(streamName(expectation.stream))} ${expectation.contains ? 'does not contain' : 'contains'} "${expectation.text}".`;
    case 'output-matches':
      return `Nothing in ${streamName(expectation.stream)} matches /${expectation.pattern}/.`;
    case 'port':
      return `Port ${expectation.port} is ${expectation.open ? 'not open' : 'still open'}.`;
    case 'url':
      return `${expectation.url} did not answer ${expectation.status}${containing(expectation.contains)}.`;
    case 'command-exists':
      return `There is no command ${expectation.command}.`;
  }
}

/** The text that `parseExpects` reads back as this very expectation. */
export function printExpectation(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'exit':
      return `exit ${expectation.code}`;
    case 'file-exists':
      return `file ${expectation.exists ? 'exists' : 'missing'} ${quoteIfNeeded(expectation.path)}`;
    case 'dir-exists':
      return `dir ${expectation.exists ? 'exists' : 'missing'} ${quoteIfNeeded(expectation.path)}`;
    case 'file-contains': {
      const bare = /^[^\s"]+$/.test(expectation.path) && !/^(exists:?|missing)$/i.test(expectation.path);
      const path = bare ? expectation.path : JSON.stringify(expectation.path);
      return `file ${path} contains ${quoteIfNeeded(expectation.text)}`;
    }
    case 'output-contains':
      return `${expectation.stream} ${expectation.contains ? 'contains' : 'lacks'} ${quoteIfNeeded(expectation.text)}`;
    case 'output-matches':
      return `${expectation.stream} matches ${printPattern(expectation.pattern)}`;
    case 'port':
      return `port ${expectation.port} ${expectation.open ? 'open' : 'closed'}`;
    case 'url': {
      const end =
        expectation.contains === undefined ? '' : ` containing ${quoteIfNeeded(expectation.contains)}`;
      return `url ${expectation.url} answers ${expectation.status}${end}`;
    }
    case 'command-exists':
      return `command exists ${expectation.command}`;
  }
}

const containing = (text: string | undefined) => (text === undefined ? '' : ` with "${text}"`);
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const streamName = (stream: string) => (stream === 'output' ? 'the output' : stream);

function quoteIfNeeded(text: string): string {
  const fragile =
    text.trim() !== text || /[\n\r\u2028\u2029]/.test(text) || wholeString(text) !== null || text === '';
  return fragile ? JSON.stringify(text) : text;
}

const printPattern = (pattern: string) =>
  /^[^\n\r\u2028\u2029]+$/.test(pattern) && wholeString(pattern) === null
    ? `/${pattern}/`
    : JSON.stringify(pattern);
