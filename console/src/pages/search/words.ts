import { pageWords } from '../../i18n/language.tsx'

export const useSearchWords = pageWords({
  title: { en: 'What would you like to know?', de: 'Was möchten Sie wissen?' },
  field: { en: 'Search', de: 'Suche' },
  placeholder: { en: 'A question or a few words', de: 'Eine Frage oder ein paar Wörter' },
  clear: { en: 'Clear the search', de: 'Suche leeren' },
  type: { en: 'Type', de: 'Art' },
  anyType: { en: 'All types', de: 'Alle Arten' },
  language: { en: 'Language', de: 'Sprache' },
  anyLanguage: { en: 'All languages', de: 'Alle Sprachen' },
  typeChip: { en: (type: string) => `Type: ${type}`, de: (type) => `Art: ${type}` },
  languageChip: { en: (language: string) => `Language: ${language}`, de: (language) => `Sprache: ${language}` },
  categoryChip: { en: (category: string) => `Category: ${category}`, de: (category) => `Kategorie: ${category}` },
  tagChip: { en: (tag: string) => `Tag: ${tag}`, de: (tag) => `Schlagwort: ${tag}` },
  thisCategory: { en: 'chosen category', de: 'gewählte Kategorie' },
  inCategory: { en: (category: string) => `Search in ${category}`, de: (category) => `In ${category} suchen` },
  edit: { en: (title: string) => `Edit “${title}”`, de: (title) => `„${title}“ bearbeiten` },
  results: { en: 'Results', de: 'Ergebnisse' },
  found: {
    en: (count: number, query: string) => (count === 1 ? `1 result for “${query}”` : `${count} results for “${query}”`),
    de: (count, query) => (count === 1 ? `1 Ergebnis für „${query}“` : `${count} Ergebnisse für „${query}“`),
  },
  best: {
    en: (count: number, query: string) => `The ${count} best results for “${query}”`,
    de: (count, query) => `Die ${count} besten Ergebnisse für „${query}“`,
  },
  weak: {
    en: (query: string) => `Nothing fits “${query}” well. This comes nearest:`,
    de: (query) => `Nichts passt gut zu „${query}“. Am nächsten kommt:`,
  },
  nothing: { en: (query: string) => `Nothing found for “${query}”`, de: (query) => `Nichts gefunden für „${query}“` },
  nothingHelp: {
    en: 'Try other words, or a whole question. Typing errors and parts of words are understood.',
    de: 'Versuchen Sie es mit anderen Wörtern oder einer ganzen Frage. Tippfehler und Wortteile werden verstanden.',
  },
  nothingFiltered: {
    en: 'There may be results without the filters.',
    de: 'Ohne die Filter gibt es vielleicht Ergebnisse.',
  },
  didYouMean: { en: (query: string) => `Did you mean “${query}”?`, de: (query) => `Meinten Sie „${query}“?` },
  forbidden: { en: 'Your role may not read entries.', de: 'Mit Ihrer Rolle können Sie keine Einträge lesen.' },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation for the permission to read.',
    de: 'Bitten Sie die Administration Ihrer Organisation um das Recht zu lesen.',
  },
  failed: { en: 'The search does not answer', de: 'Die Suche antwortet nicht' },
  recent: { en: 'Your recent searches', de: 'Ihre letzten Suchen' },
  forget: { en: 'Forget them', de: 'Vergessen' },
  newest: { en: 'New in your knowledge', de: 'Neu im Wissen' },
  empty: { en: 'There is nothing to find yet.', de: 'Es gibt noch nichts zu finden.' },
  emptyHelp: {
    en: 'As soon as somebody writes or imports entries, they appear here.',
    de: 'Sobald jemand Einträge schreibt oder importiert, erscheinen sie hier.',
  },
  write: { en: 'Write an entry', de: 'Eintrag schreiben' },
  import: { en: 'Import files', de: 'Dateien importieren' },
  emptyAdmin: {
    en: 'Set it up in five minutes: a name, the first content, the first people and an assistant.',
    de: 'In fünf Minuten eingerichtet: ein Name, die ersten Inhalte, die ersten Menschen und ein Assistent.',
  },
  firstSteps: { en: 'Begin', de: 'Loslegen' },
})

export type SearchWords = ReturnType<typeof useSearchWords>
