import type { Action, SimpleAction } from '../../contract/index.ts';

/** A title for a step that has none: short, one line, says what it does. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'for-each':
      return `For each of ${action.list}: ${lowerFirst(describeSimple(action.do))}`;
    case 'repeat':
      return `${action.times} times: ${lowerFirst(describeSimple(action.do))}`;
    case 'restore':
      return `Put back what run ${action.run} changed`;
    default:
      return describeSimple(action);
  }
}

function describeSimple(action: SimpleAction): string {
  switch (action.kind) {
    case 'run-command':
      return `Run ${short(action.command)}`;
    case 'run-script':
      return `Run ${short(action.script)}`;
    case 'start':
      return `Start ${action.name}`;
    case 'stop':
      return `Stop ${action.name}`;
    case 'write-file':
      return `Write ${short(action.path)}`;
    case 'append-file':
      return `Append to ${short(action.path)}`;
    case 'edit-file':
      return `Edit ${short(action.path)}`;
    case 'create-dir':
      return `Create the folder ${short(action.path)}`;
    case 'copy-path':
      return `Copy ${short(action.from)} to ${short(action.to)}`;
    case 'move-path':
      return `Move ${short(action.from)} to ${short(action.to)}`;
    case 'delete-path':
      return `Delete ${short(action.path)}`;
    case 'list-files':
      return `List ${short(action.pattern)}`;
    case 'read-file':
      return `Read ${short(action.path)}`;
    case 'call-tool':
      return `Call ${short(action.tool)}`;
    case 'ask':
      return `Ask: ${short(action.question)}`;
    case 'manual':
      return `By hand: ${short(action.text)}`;
  }
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The first line that says something, cut to a length that fits a list. */
function short(text: string): string {
  const lines = text.split(/[\n\r]+/).map((line) => line.trim());
  const telling = lines.find((line) => line !== '' && !line.startsWith('#') && !/^set -\S+$/.test(line));
  const first = telling ?? lines.find((line) => line !== '') ?? '';
  return first.length > 60 ? `${first.slice(0, 59)}…` : first;
}
