export const words = {
  title: 'Versions',
  intro: (entry: string) =>
    `Earlier states of “${entry}”. Restoring one saves it as the newest version; nothing is lost.`,
  now: 'Now',
  version: (number: string) => `Version ${number}`,
  list: 'Versions',
  none: 'There are no earlier versions yet',
  noneHelp: 'Each time somebody saves a change, the state before it is kept here.',
  compare: 'What is compared',
  views: { now: 'With the newest', before: 'With the one before', text: 'Whole text' },
  restore: 'Restore this version',
  restoreTitle: 'Restore this version?',
  restoreText: (number: string) =>
    `The entry gets the title, text and details of version ${number}. What it is now stays in the versions.`,
  restored: 'Restored.',
  conflict: 'Somebody saved the entry meanwhile. Look at the newest state, then restore again.',
  missing: 'This entry does not exist',
  missingHelp: 'It was deleted, or you may not read it.',
  edit: 'Edit',
  read: 'Read',
  first: 'This is the first version that you may see.',
}

export type VersionsWords = typeof words
