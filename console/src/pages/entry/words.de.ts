import type { EntryWords } from './words.en.ts'

export const words: EntryWords = {
  toSearch: 'Suche',
  copyLink: 'Link kopieren',
  history: 'Fassungen',
  contents: 'Auf dieser Seite',
  facts: 'Über diesen Eintrag',
  whoReads: 'Wer ihn lesen kann',
  category: 'Kategorie',
  type: 'Art',
  language: 'Sprache',
  tags: 'Schlagwörter',
  changed: 'Zuletzt geändert',
  version: 'Fassung',
  source: 'Stammt von',
  published: 'Veröffentlicht unter',
  translations: 'In anderen Sprachen',
  related: 'Verwandt',
  missing: 'Diesen Eintrag gibt es nicht',
  missingHelp:
    'Er wurde gelöscht, oder Sie dürfen ihn nicht lesen. Wenn Sie ihn brauchen, fragen Sie, wer Ihnen den Link geschickt hat.',
}
