import { pageWords } from '../../i18n/language.tsx'

export const useSearchWordsWords = pageWords({
  title: { en: 'Synonyms', de: 'Synonyme' },
  intro: {
    en: 'Words that mean the same in your shops, and words that do not matter. In force with the next product search.',
    de: 'Wörter, die in Ihren Shops dasselbe bedeuten, und Wörter, auf die es nicht ankommt. Sie gelten ab der nächsten Produktsuche.',
  },
  synonyms: { en: 'Synonyms', de: 'Synonyme' },
  create: { en: 'New synonyms', de: 'Neue Synonyme' },
  list: { en: 'Synonyms', de: 'Synonyme' },
  typed: { en: 'People search for', de: 'Wer sucht nach' },
  found: { en: 'and also find', de: 'findet auch' },
  eachOther: { en: 'each of them finds the others', de: 'jedes findet die anderen' },
  edit: { en: (words: string) => `Change ${words}`, de: (words) => `${words} ändern` },
  remove: { en: (words: string) => `Delete ${words}`, de: (words) => `${words} löschen` },
  actions: { en: 'Change or delete', de: 'Ändern oder löschen' },
  newTitle: { en: 'New synonyms', de: 'Neue Synonyme' },
  editTitle: { en: 'Change synonyms', de: 'Synonyme ändern' },
  direction: { en: 'How they work', de: 'Wie sie wirken' },
  both: { en: 'In both directions', de: 'In beide Richtungen' },
  bothHelp: {
    en: 'Whoever searches for one of the words finds the others too.',
    de: 'Wer nach einem der Wörter sucht, findet auch die anderen.',
  },
  oneWay: { en: 'In one direction', de: 'In eine Richtung' },
  oneWayHelp: {
    en: 'Whoever searches for a certain word finds the others too, but not the reverse.',
    de: 'Wer nach einem bestimmten Wort sucht, findet auch die anderen, aber nicht umgekehrt.',
  },
  from: { en: 'Who searches for', de: 'Wer sucht nach' },
  words: { en: 'Words', de: 'Wörter' },
  alsoFinds: { en: 'also finds', de: 'findet auch' },
  wordsHelp: {
    en: 'Enter adds a word. Phrases are allowed.',
    de: 'Eingabe fügt ein Wort hinzu. Auch Wortgruppen sind möglich.',
  },
  tooFew: { en: 'Enter at least two words.', de: 'Geben Sie mindestens zwei Wörter ein.' },
  noWord: { en: 'Enter at least one word.', de: 'Geben Sie mindestens ein Wort ein.' },
  noFrom: { en: 'Enter the word that people search for.', de: 'Geben Sie das Wort ein, nach dem gesucht wird.' },
  save: { en: 'Save', de: 'Speichern' },
  saved: { en: 'Saved', de: 'Gespeichert' },
  removed: { en: 'Deleted', de: 'Gelöscht' },
  stopWords: { en: 'Words that do not matter', de: 'Wörter, auf die es nicht ankommt' },
  stopWordsHelp: {
    en: 'Product search leaves them out of queries that have other words.',
    de: 'Die Produktsuche lässt sie in Anfragen weg, die noch andere Wörter haben.',
  },
  empty: { en: 'There are no synonyms yet.', de: 'Es gibt noch keine Synonyme.' },
  emptyHelp: {
    en: 'Search already knows spellings, plurals and typing errors. Add what only your shop means by a word.',
    de: 'Schreibweisen, Mehrzahl und Tippfehler kennt die Suche schon. Ergänzen Sie, was nur Ihr Shop unter einem Wort versteht.',
  },
  forbidden: { en: 'Your role may not see synonyms.', de: 'Ihre Rolle darf Synonyme nicht sehen.' },
  forbiddenHelp: {
    en: 'Editors and administrators may. Ask an administrator of your organisation.',
    de: 'Redaktion und Administration dürfen es. Fragen Sie eine Administratorin oder einen Administrator Ihrer Organisation.',
  },
})
