/** Every key there is, for the help and the menus. */
export const shortcuts: readonly { group: string; keys: readonly [string, string][] }[] = [
  {
    group: 'Everywhere',
    keys: [
      ['⌘K / Ctrl K', 'Go to a run, a step, a command'],
      ['n', 'New run'],
      ['h', 'All runs'],
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
      ['1 – 6', 'Output, result, changes, attempts, story, events'],
      ['/', 'Search in the output'],
      ['f', 'Follow the output'],
      ['p', 'Pause, or go on'],
      ['.', 'Back to what runs now'],
    ],
  },
  {
    group: 'Deciding',
    keys: [
      ['Enter', 'Deny, or the choice that does least'],
      ['a', 'Approve exactly this, once'],
      ['e', 'Edit it first'],
      ['r', 'Teacher: run the step'],
      ['m', 'Teacher: I did it myself'],
      ['s', 'Teacher: skip it'],
    ],
  },
];
