import { pageWords } from '../../i18n/language.tsx'

export const useJudgedSetWords = pageWords({
  title: { en: 'Judged set', de: 'Bewertete Suchen' },
  forbidden: {
    en: 'Only administrators can use judged sets.',
    de: 'Nur Administratoren können bewertete Suchen benutzen.',
  },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation.',
    de: 'Fragen Sie die Administration Ihrer Organisation.',
  },
  gone: { en: 'There is no such set any more.', de: 'Diese Sammlung gibt es nicht mehr.' },
  goneHelp: { en: 'Somebody may have deleted it.', de: 'Vielleicht hat sie jemand gelöscht.' },
  all: { en: 'All judged sets', de: 'Alle Sammlungen' },
  about: {
    knowledge: { en: 'Searches in knowledge', de: 'Suchen im Wissen' },
    products: { en: 'Searches in products', de: 'Suchen in Produkten' },
  },
  delete: { en: 'Delete set', de: 'Sammlung löschen' },
  deleteTitle: { en: 'Delete this set?', de: 'Diese Sammlung löschen?' },
  deleteText: {
    en: (name: string) => `“${name}”, its searches and all its results are deleted for good.`,
    de: (name) => `„${name}“, ihre Suchen und alle Messungen werden endgültig gelöscht.`,
  },
  deleted: { en: (name: string) => `“${name}” is deleted`, de: (name) => `„${name}“ ist gelöscht` },
  run: {
    title: { en: 'Measure', de: 'Messen' },
    help: {
      en: 'Asks every search of the set and compares the first ten results with your judgments.',
      de: 'Stellt jede Suche der Sammlung und vergleicht die ersten zehn Treffer mit Ihren Bewertungen.',
    },
    mode: { en: 'Search by', de: 'Suchen nach' },
    modes: {
      hybrid: { en: 'Meaning and words', de: 'Bedeutung und Wörtern' },
      semantic: { en: 'Meaning alone', de: 'Bedeutung' },
      keyword: { en: 'Words alone', de: 'Wörtern' },
    },
    view: { en: 'Look as', de: 'Sehen wie' },
    views: {
      self: { en: 'Yourself', de: 'Sie selbst' },
      reader: { en: 'Reader', de: 'Leser' },
      editor: { en: 'Editor', de: 'Redakteur' },
    },
    start: { en: 'Measure now', de: 'Jetzt messen' },
    going: {
      en: 'A measurement is already running. Wait until it has ended.',
      de: 'Es läuft schon eine Messung. Warten Sie, bis sie zu Ende ist.',
    },
    progress: {
      en: (done: string, total: string) => `${done} of ${total} searches`,
      de: (done, total) => `${done} von ${total} Suchen`,
    },
    needsQueries: { en: 'Judge some results first.', de: 'Bewerten Sie zuerst einige Treffer.' },
  },
  quality: {
    title: { en: 'Quality over time', de: 'Qualität im Verlauf' },
    none: { en: 'Nothing is measured yet.', de: 'Es ist noch nichts gemessen.' },
    noneHelp: { en: 'Each measurement becomes a point here.', de: 'Jede Messung wird hier zu einem Punkt.' },
    up: {
      en: (now: string, before: string) => `Quality is ${now}, up from ${before}.`,
      de: (now, before) => `Die Qualität ist ${now}, vorher ${before}: besser.`,
    },
    down: {
      en: (now: string, before: string) => `Quality is ${now}, down from ${before}.`,
      de: (now, before) => `Die Qualität ist ${now}, vorher ${before}: schlechter.`,
    },
    same: { en: (now: string) => `Quality is ${now}, as before.`, de: (now) => `Die Qualität ist ${now}, wie vorher.` },
    first: { en: (now: string) => `Quality is ${now}.`, de: (now) => `Die Qualität ist ${now}.` },
    chart: { en: 'Quality of each measurement, oldest first', de: 'Qualität jeder Messung, die älteste zuerst' },
    explain: {
      en: '100% means that the best results always come first (nDCG of the first ten).',
      de: '100 % heißt, dass die besten Treffer immer zuerst kommen (nDCG der ersten zehn).',
    },
    asTable: { en: 'Show as table', de: 'Als Tabelle zeigen' },
    asChart: { en: 'Show as chart', de: 'Als Diagramm zeigen' },
  },
  runs: {
    when: { en: 'When', de: 'Wann' },
    mode: { en: 'Search by', de: 'Gesucht nach' },
    view: { en: 'Looked as', de: 'Gesehen wie' },
    quality: { en: 'Quality', de: 'Qualität' },
    firstRight: { en: 'First result right', de: 'Erster Treffer richtig' },
    state: { en: 'State', de: 'Stand' },
    states: {
      running: { en: 'Running', de: 'Läuft' },
      done: { en: 'Done', de: 'Fertig' },
      failed: { en: 'Ended early', de: 'Vorzeitig beendet' },
    },
    upTo: { en: (level: string) => `Up to ${level}`, de: (level) => `Bis ${level}` },
  },
  compare: {
    title: { en: 'Compare two measurements', de: 'Zwei Messungen vergleichen' },
    from: { en: 'Before', de: 'Vorher' },
    to: { en: 'After', de: 'Nachher' },
    query: { en: 'Search', de: 'Suche' },
    difference: { en: 'Difference', de: 'Unterschied' },
    all: { en: 'Show all searches', de: 'Alle Suchen zeigen' },
    changed: { en: 'Show only what changed', de: 'Nur Änderungen zeigen' },
    nothing: { en: 'No search changed.', de: 'Keine Suche hat sich geändert.' },
    noAnswer: { en: 'nothing answers it', de: 'nichts passt' },
  },
  queries: {
    title: { en: 'Searches', de: 'Suchen' },
    none: { en: 'The set has no searches yet.', de: 'Die Sammlung hat noch keine Suchen.' },
    noneHelp: {
      en: 'Search in the laboratory and judge the results, or import a file.',
      de: 'Suchen Sie im Labor und bewerten Sie die Treffer, oder importieren Sie eine Datei.',
    },
    toLaboratory: { en: 'Judge in the laboratory', de: 'Im Labor bewerten' },
    query: { en: 'Search', de: 'Suche' },
    right: { en: 'Right', de: 'Richtig' },
    soSo: { en: 'So-so', de: 'Na ja' },
    wrong: { en: 'Wrong', de: 'Falsch' },
    remove: { en: (query: string) => `Remove “${query}”`, de: (query) => `„${query}“ entfernen` },
    removed: { en: (query: string) => `“${query}” is removed`, de: (query) => `„${query}“ ist entfernt` },
  },
  file: {
    title: { en: 'Import and export', de: 'Import und Export' },
    help: {
      en: 'One search per line, as JSON Lines: the search, and the IDs of its results with 2 (right), 1 (so-so) or 0 (wrong).',
      de: 'Eine Suche je Zeile, als JSON Lines: die Suche, und die IDs ihrer Treffer mit 2 (richtig), 1 (na ja) oder 0 (falsch).',
    },
    drop: { en: 'File with judged searches', de: 'Datei mit bewerteten Suchen' },
    export: { en: 'Export', de: 'Exportieren' },
    stored: {
      en: (added: string, replaced: string) => `Imported: ${added} new, ${replaced} replaced`,
      de: (added, replaced) => `Importiert: ${added} neu, ${replaced} ersetzt`,
    },
    refused: {
      en: 'Nothing was imported. Correct these lines and try again:',
      de: 'Es wurde nichts importiert. Korrigieren Sie diese Zeilen und versuchen Sie es erneut:',
    },
    line: { en: (line: string, what: string) => `Line ${line}: ${what}`, de: (line, what) => `Zeile ${line}: ${what}` },
    notJson: { en: 'not a search in the right form', de: 'keine Suche in der richtigen Form' },
    unknownId: {
      en: 'has an ID that does not exist, or that you may not see',
      de: 'hat eine ID, die es nicht gibt oder die Sie nicht sehen dürfen',
    },
    otherFault: { en: 'has a value that is not possible', de: 'hat einen Wert, der nicht möglich ist' },
    tooMany: {
      en: 'A set has at most 500 searches. Nothing was imported.',
      de: 'Eine Sammlung hat höchstens 500 Suchen. Es wurde nichts importiert.',
    },
    empty: { en: 'The file has no searches.', de: 'Die Datei enthält keine Suchen.' },
  },
})
