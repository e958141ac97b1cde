export const words = {
  toSearch: 'Search',
  copyLink: 'Copy link',
  history: 'Versions',
  contents: 'On this page',
  facts: 'About this entry',
  whoReads: 'Who can read it',
  category: 'Category',
  type: 'Type',
  language: 'Language',
  tags: 'Tags',
  changed: 'Last changed',
  version: 'Version',
  source: 'Comes from',
  published: 'Published at',
  translations: 'In other languages',
  related: 'Related',
  missing: 'This entry does not exist',
  missingHelp: 'It was deleted, or you may not read it. If you need it, ask whoever sent you the link.',
}

export type EntryWords = typeof words
