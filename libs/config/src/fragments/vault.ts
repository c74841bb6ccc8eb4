import { defineFragment } from '../fragment.js';
import { flag, optional, singleLine, withDefault } from '../variable.js';

export const vault = defineFragment({
  title: 'Vault',
  variables: {
    path: optional('ANNALS_VAULT_PATH', singleLine('the path of a folder'), 'no vault is written', {
      description:
        'Folder in which the memories, messages and summaries of each user are kept as Markdown files, with their history in Git. They contain what people said: give the folder to nobody who may not read it.',
    }),
    hasGit: withDefault('ANNALS_VAULT_GIT', flag(), 'true', {
      description:
        'Whether the files of each user are a Git repository, with a commit for each set of changes. Needs `git`.',
    }),
    isWatched: withDefault('ANNALS_VAULT_WATCH', flag(), 'true', {
      description:
        'Whether changes that people make to files become changes of memories. `false`: the files are only written, and not watched.',
    }),
    searchPath: withDefault(
      'ANNALS_VAULT_GIT_SEARCH_PATH',
      singleLine('folders, separated by colons'),
      '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin',
      { description: 'Folders in which the program `git` is looked for.' },
    ),
  },
  build: (values) => values,
});
