import type { CommandTable } from './types.ts';

/** Version control. */
export const gitCommands: CommandTable = {
  git: {
    does: 'Keeps the history of files.',
    options: { '-C DIR': 'in this folder', '-c SETTING': 'with this setting' },
    verbs: {
      status: 'Shows what changed and is not committed.',
      add: {
        does: 'Marks changes for the next commit.',
        options: { '-A, --all': 'all of them', '-p': 'choosing piece by piece' },
      },
      commit: {
        does: 'Records the marked changes.',
        options: {
          '-m TEXT, --message TEXT': 'with this message',
          '-a, --all': 'with all changes of known files',
          '--amend': 'replacing the last commit',
          '--no-verify': 'without running hooks',
        },
      },
      push: {
        does: 'Sends commits to the server.',
        options: {
          '-f, --force': 'overwriting what is there',
          '--force-with-lease': 'overwriting, unless others pushed meanwhile',
          '-u, --set-upstream': 'and remember where',
          '--tags': 'tags too',
          '--delete': 'delete the branch there',
        },
      },
      pull: {
        does: 'Fetches commits from the server and merges them.',
        options: { '--rebase': 'placing own commits on top' },
      },
      fetch: 'Fetches commits from the server without merging.',
      clone: {
        does: 'Copies a repository.',
        options: { '--depth NUM': 'only the last so many commits', '-b NAME': 'this branch' },
      },
      checkout: {
        does: 'Changes branch, or takes files from a commit.',
        options: {
          '-b NAME': 'making a new branch',
          '-f': 'throwing local changes away',
          '--': 'what follows are files',
        },
      },
      switch: { does: 'Changes branch.', options: { '-c NAME': 'making a new one' } },
      restore: {
        does: 'Takes files back as they were committed.',
        options: { '--staged': 'only unmark them' },
      },
      reset: {
        does: 'Moves the branch to another commit.',
        options: {
          '--hard': 'throwing local changes away',
          '--soft': 'keeping all changes marked',
          '--mixed': 'keeping changes unmarked',
        },
      },
      clean: {
        does: 'Deletes files that git does not know.',
        options: {
          '-f, --force': 'really',
          '-d': 'folders too',
          '-x': 'ignored files too',
          '-n, --dry-run': 'only say what would be deleted',
        },
      },
      branch: {
        does: 'Lists, makes or deletes branches.',
        options: {
          '-d': 'delete, if merged',
          '-D': 'delete, merged or not',
          '-a': 'those of the server too',
          '-m': 'rename',
        },
      },
      merge: 'Merges another branch into this one.',
      rebase: {
        does: 'Replays commits on top of another.',
        options: { '-i': 'choosing what to do with each', '--abort': 'give up', '--continue': 'go on' },
      },
      stash: {
        does: 'Puts changes aside.',
        verbs: { pop: 'Takes them back.', drop: 'Throws them away.', list: 'Lists them.' },
      },
      log: {
        does: 'Shows the history.',
        options: {
          '--oneline': 'one line each',
          '-n NUM': 'so many',
          '--graph': 'as a graph',
          '-p': 'with the changes',
        },
      },
      diff: {
        does: 'Shows changes.',
        options: {
          '--staged, --cached': 'those marked for the next commit',
          '--stat': 'only how many lines',
        },
      },
      show: 'Shows a commit.',
      tag: 'Lists, makes or deletes tags.',
      remote: 'Lists or changes servers.',
      config: 'Reads or changes settings.',
      init: 'Makes a repository.',
      rm: 'Deletes files and marks that.',
      mv: 'Renames files and marks that.',
      revert: 'Undoes a commit with a new one.',
      'cherry-pick': 'Takes a commit from elsewhere.',
      worktree: 'Manages further working folders.',
      submodule: 'Manages repositories inside this one.',
      blame: 'Shows who last changed each line.',
    },
  },
};
