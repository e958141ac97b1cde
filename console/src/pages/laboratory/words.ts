import { pageWords } from '../../i18n/language.tsx'

export const useLaboratoryWords = pageWords({
  title: { en: 'Search laboratory', de: 'Suchlabor' },
  intro: {
    en: 'Try a search in three ways at once, see what decided, and find out why something is missing.',
    de: 'Probieren Sie eine Suche auf drei Arten zugleich, sehen Sie, was entschieden hat, und finden Sie heraus, warum etwas fehlt.',
  },
  forbidden: {
    en: 'Only administrators can use the search laboratory.',
    de: 'Nur Administratoren können das Suchlabor benutzen.',
  },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation.',
    de: 'Fragen Sie die Administration Ihrer Organisation.',
  },
  query: { en: 'Search for', de: 'Suchen nach' },
  ask: { en: 'Search', de: 'Suchen' },
  section: { en: 'In', de: 'In' },
  sections: {
    knowledge: { en: 'Knowledge', de: 'Wissen' },
    products: { en: 'Products', de: 'Produkte' },
  },
  view: { en: 'Look as', de: 'Sehen wie' },
  self: { en: 'Yourself', de: 'Sie selbst' },
  views: {
    reader: { en: 'Reader', de: 'Leser' },
    editor: { en: 'Editor', de: 'Redakteur' },
    public: { en: 'Public only', de: 'Nur Öffentliches' },
    community: { en: 'Up to community', de: 'Bis Community' },
    internal: { en: 'Up to internal', de: 'Bis Intern' },
    workspace: { en: 'Up to workspaces', de: 'Bis Arbeitsbereich' },
  },
  language: { en: 'Language', de: 'Sprache' },
  anyLanguage: { en: 'All languages', de: 'Alle Sprachen' },
  relevance: { en: 'Relevance', de: 'Relevanz' },
  anyRelevance: { en: 'Show everything', de: 'Alles zeigen' },
  relevances: {
    '0.2': { en: 'Leave out chance hits', de: 'Zufallstreffer weglassen' },
    '0.5': { en: 'Only clearly relevant', de: 'Nur klar Passendes' },
  },
  judgedSet: { en: 'Judge for', de: 'Bewerten für' },
  noJudgedSet: { en: 'Do not judge', de: 'Nicht bewerten' },
  start: { en: 'Search for something your people ask.', de: 'Suchen Sie nach etwas, das Ihre Leute fragen.' },
  startHelp: {
    en: 'You see the results by meaning, by words and by both, next to each other.',
    de: 'Sie sehen die Treffer nach Bedeutung, nach Wörtern und nach beidem nebeneinander.',
  },
  modes: {
    hybrid: {
      name: { en: 'Meaning and words', de: 'Bedeutung und Wörter' },
      help: { en: 'What people get when they search', de: 'So sucht der Dienst sonst' },
    },
    semantic: {
      name: { en: 'Meaning alone', de: 'Nur Bedeutung' },
      help: { en: 'Finds other words for the same thing', de: 'Findet andere Wörter für dasselbe' },
    },
    keyword: {
      name: { en: 'Words alone', de: 'Nur Wörter' },
      help: { en: 'Finds exactly these words and their forms', de: 'Findet genau diese Wörter und ihre Formen' },
    },
  },
  results: {
    en: (total: string, ms: string) => `${total} found, ${ms} ms`,
    de: (total, ms) => `${total} gefunden, ${ms} ms`,
  },
  nothing: { en: 'Nothing found in this way.', de: 'Auf diese Art wurde nichts gefunden.' },
  degraded: {
    en: 'The embedding service does not answer, so only words were compared.',
    de: 'Der Dienst für die Bedeutung antwortet nicht, deshalb wurden nur Wörter verglichen.',
  },
  relevant: { en: (percent: string) => `${percent} relevant`, de: (percent) => `${percent} relevant` },
  parts: {
    meaning: { en: 'Meaning', de: 'Bedeutung' },
    words: { en: 'Words', de: 'Wörter' },
    other: { en: 'Extra', de: 'Zusatz' },
  },
  extraHelp: {
    en: 'Extra: an exact title or number, all words, clicks and rules of a site',
    de: 'Zusatz: genauer Titel oder genaue Nummer, alle Wörter, Klicks und Regeln einer Site',
  },
  bar: {
    en: (meaning: string, wordsPart: string, other: string) =>
      `Score: meaning ${meaning}, words ${wordsPart}, extra ${other}`,
    de: (meaning, wordsPart, other) => `Punkte: Bedeutung ${meaning}, Wörter ${wordsPart}, Zusatz ${other}`,
  },
  details: { en: 'Details', de: 'Einzelheiten' },
  score: { en: 'Score', de: 'Punkte' },
  similarity: { en: 'Similarity', de: 'Ähnlichkeit' },
  matchedWords: { en: 'Matched words', de: 'Gefundene Wörter' },
  typedAs: {
    en: (term: string, typed: string) => `${term} (for ${typed})`,
    de: (term, typed) => `${term} (für ${typed})`,
  },
  passage: { en: 'Nearest passage', de: 'Nächste Textstelle' },
  judge: { en: (title: string) => `Judge “${title}”`, de: (title) => `„${title}“ bewerten` },
  grades: {
    2: { en: 'Right', de: 'Richtig' },
    1: { en: 'So-so', de: 'Na ja' },
    0: { en: 'Wrong', de: 'Falsch' },
  },
  notSaved: {
    en: 'The judgment was not saved. Try again.',
    de: 'Die Bewertung wurde nicht gespeichert. Versuchen Sie es erneut.',
  },
  judgedSets: { en: 'Judged sets', de: 'Bewertete Suchen' },
  missing: { en: 'Is something missing?', de: 'Fehlt etwas?' },
  why: {
    title: { en: 'Why is something not here?', de: 'Warum ist etwas nicht dabei?' },
    help: {
      en: 'Enter a title, or paste the address or ID of the entry or product.',
      de: 'Geben Sie einen Titel ein, oder fügen Sie die Adresse oder ID des Eintrags oder Produkts ein.',
    },
    field: { en: 'Missing entry or product', de: 'Fehlender Eintrag oder fehlendes Produkt' },
    mode: { en: 'In', de: 'In' },
    ask: { en: 'Find out', de: 'Herausfinden' },
    choose: { en: 'Which one do you mean?', de: 'Was meinen Sie?' },
    none: {
      en: 'Nothing has a title like this, or you may not see it.',
      de: 'Nichts hat einen solchen Titel, oder Sie dürfen es nicht sehen.',
    },
    unknown: {
      en: 'There is no such entry or product, or you may not see it.',
      de: 'Einen solchen Eintrag oder ein solches Produkt gibt es nicht, oder Sie dürfen es nicht sehen.',
    },
    reasons: {
      found: { en: 'It is found.', de: 'Es wird gefunden.' },
      outside_first_1000: {
        en: 'It is found, but only after the first 1,000 results.',
        de: 'Es wird gefunden, aber erst nach den ersten 1.000 Treffern.',
      },
      not_visible: {
        en: 'The person you look as may not see it.',
        de: 'Die Person, als die Sie suchen, darf es nicht sehen.',
      },
      expired: { en: 'It has expired.', de: 'Es ist abgelaufen.' },
      filtered: { en: 'The filters leave it out.', de: 'Die Filter lassen es weg.' },
      hidden_by_rule: { en: 'A rule of the site hides it.', de: 'Eine Regel der Site blendet es aus.' },
      variant_policy: {
        en: 'Your shop shows the variants in its place.',
        de: 'Ihr Shop zeigt an seiner Stelle die Varianten.',
      },
      not_embedded: {
        en: 'Its meaning has not been computed yet, and none of its words match. Try again in a few minutes.',
        de: 'Seine Bedeutung ist noch nicht berechnet, und keines seiner Wörter passt. Versuchen Sie es in ein paar Minuten erneut.',
      },
      no_words: { en: 'It has none of the words you searched for.', de: 'Es enthält keines der gesuchten Wörter.' },
      others_match_better: {
        en: 'It has too few of the words, and its meaning is too far from the search.',
        de: 'Es hat zu wenige der Wörter, und seine Bedeutung liegt zu fern.',
      },
      below_relevance: {
        en: 'It is not relevant enough for the limit you set.',
        de: 'Es ist für die gewählte Grenze nicht relevant genug.',
      },
      unknown: {
        en: 'The search does not know it yet. Try again in a few minutes.',
        de: 'Die Suche kennt es noch nicht. Versuchen Sie es in ein paar Minuten erneut.',
      },
    },
    rank: { en: (rank: string) => `It is result number ${rank}.`, de: (rank) => `Es ist Treffer Nummer ${rank}.` },
    level: { en: (level: string) => `It is for: ${level}`, de: (level) => `Es ist für: ${level}` },
    since: { en: (when: string) => `Since ${when}`, de: (when) => `Seit ${when}` },
    itsRelevance: {
      en: (percent: string) => `It is ${percent} relevant.`,
      de: (percent) => `Es ist zu ${percent} relevant.`,
    },
    rules: { en: (names: string) => `The rule: ${names}`, de: (names) => `Die Regel: ${names}` },
    open: { en: 'Open the entry', de: 'Eintrag öffnen' },
    openProduct: { en: 'Open the product', de: 'Produkt öffnen' },
  },
})
