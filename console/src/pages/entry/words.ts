import { pageWords } from '../../i18n/language.tsx'

export const useEntryWords = pageWords({
  toSearch: { en: 'Search', de: 'Suche' },
  copyLink: { en: 'Copy link', de: 'Link kopieren' },
  history: { en: 'Versions', de: 'Fassungen' },
  contents: { en: 'On this page', de: 'Auf dieser Seite' },
  facts: { en: 'About this entry', de: 'Über diesen Eintrag' },
  whoReads: { en: 'Who can read it', de: 'Wer ihn lesen kann' },
  category: { en: 'Category', de: 'Kategorie' },
  type: { en: 'Type', de: 'Art' },
  language: { en: 'Language', de: 'Sprache' },
  tags: { en: 'Tags', de: 'Schlagwörter' },
  changed: { en: 'Last changed', de: 'Zuletzt geändert' },
  version: { en: 'Version', de: 'Fassung' },
  source: { en: 'Comes from', de: 'Stammt von' },
  published: { en: 'Published at', de: 'Veröffentlicht unter' },
  translations: { en: 'In other languages', de: 'In anderen Sprachen' },
  related: { en: 'Related', de: 'Verwandt' },
  leftOut: {
    en: 'Search does not find this entry at the moment, since the search memory of your organisation is full. Shorten or delete entries of yours, or tell an administrator.',
    de: 'Die Suche findet diesen Eintrag zurzeit nicht, weil der Speicher der Suche Ihrer Organisation voll ist. Kürzen oder löschen Sie eigene Einträge, oder sagen Sie einem Administrator Bescheid.',
  },
  missing: { en: 'This entry does not exist', de: 'Diesen Eintrag gibt es nicht' },
  missingHelp: {
    en: 'It was deleted, or you may not read it. If you need it, ask whoever sent you the link.',
    de: 'Er wurde gelöscht, oder Sie dürfen ihn nicht lesen. Wenn Sie ihn brauchen, fragen Sie, wer Ihnen den Link geschickt hat.',
  },
})
