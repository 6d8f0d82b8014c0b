/** Every key there is, for the help and the menus. */
export const shortcuts: readonly { group: string; keys: readonly [string, string][] }[] = [
  {
    group: 'Everywhere',
    keys: [
      ['⌘K / Ctrl K', 'Go to a run, a step, a command'],
      ['n', 'New run'],
      ['h', 'All runs'],
      ['c', 'Conversations'],
      ['b', 'The board of tasks'],
      ['g', 'What other agents did under the guard'],
      [',', 'Settings'],
      ['?', 'This help'],
    ],
  },
  {
    group: 'All runs',
    keys: [
      ['j / k', 'Next or previous run'],
      ['/', 'Search'],
      ['w', 'What waits for you longest'],
    ],
  },
  {
    group: 'In a run',
    keys: [
      ['j / k', 'Next or previous step'],
      ['x', 'Next step that failed'],
      ['1 – 7', 'Output, result, changes, attempts, story, events, summary'],
      ['/', 'Search in the output'],
      ['f', 'Follow the output'],
      ['p', 'Pause, or go on'],
      ['.', 'Back to what runs now'],
      ['t', 'Ask about this run, beside it'],
    ],
  },
  {
    group: 'In a conversation',
    keys: [
      ['m', 'Write a message'],
      ['Enter', 'Send it; Shift Enter begins a line'],
      ['/ and @', 'In a message: commands, files'],
      ['j / k', 'Next or previous conversation'],
      ['/', 'Search what was said'],
    ],
  },
  {
    group: 'On the board',
    keys: [
      ['arrows or h j k l', 'From card to card'],
      ['Enter', 'Open the task'],
      ['m', 'Its ways on: where you may move it'],
      ['n', 'New task'],
      ['w', 'A task that waits for you'],
      ['/', 'Search'],
    ],
  },
  {
    group: 'In a task',
    keys: [
      ['1 – 4', 'Plan, work, changes, context'],
      ['↑ / ↓', 'From line to line, where lines can be commented on'],
      ['b', 'Back to the board'],
    ],
  },
  {
    group: 'Deciding',
    keys: [
      ['Enter', 'Deny, or the choice that does least'],
      ['a', 'Approve exactly this, once, where it can be undone'],
      ['e', 'Edit it first'],
      ['r', 'Teacher: run the step'],
      ['m', 'Teacher: I did it myself'],
      ['s', 'Teacher: skip it'],
    ],
  },
];
