import { pageWords } from '../../i18n/language.tsx'

export const useSystemWords = pageWords({
  title: { en: 'System', de: 'System' },
  intro: { en: 'How the service is doing for your organisation.', de: 'Zustand des Dienstes für Ihre Organisation.' },
  forbidden: {
    en: 'Only administrators can see how the service is doing.',
    de: 'Nur Administratoren sehen, wie es dem Dienst geht.',
  },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation.',
    de: 'Fragen Sie einen Administrator Ihrer Organisation.',
  },
  well: { en: 'All is well', de: 'Alles in Ordnung' },
  wellHelp: {
    en: 'Search finds everything, by meaning and by words.',
    de: 'Die Suche findet alles, nach Bedeutung und nach Wörtern.',
  },
  look: { en: 'Worth a look', de: 'Das sollten Sie wissen' },
  checked: { en: 'Checked', de: 'Geprüft' },
  again: { en: 'Check now', de: 'Jetzt prüfen' },
  renewFailed: {
    en: 'The latest state could not be fetched. What you see is older.',
    de: 'Der neueste Stand ließ sich nicht abrufen. Was Sie sehen, ist älter.',
  },
  concerns: {
    searchDown: {
      en: 'Search is starting again. It is back in a few seconds; until then searches fail. Nothing is lost.',
      de: 'Die Suche startet neu. In wenigen Sekunden ist sie wieder da; bis dahin schlagen Suchen fehl. Es geht nichts verloren.',
    },
    noRoom: {
      en: 'The search index has no room, so searches are refused for a while. Shorten or delete entries or products, or ask the operator for more search memory.',
      de: 'Der Suchindex hat keinen Platz, deshalb schlagen Suchen eine Weile fehl. Kürzen oder löschen Sie Einträge oder Produkte, oder bitten Sie den Betreiber um mehr Speicher für die Suche.',
    },
    leftOut: {
      en: (count: string) =>
        `Search memory is full: ${count} entries or products are not found by search, though they are there. Shorten or delete what takes most, or ask the operator for more memory. The list is under Search memory.`,
      de: (count) =>
        `Der Speicher der Suche ist voll: ${count} Einträge oder Produkte sind da, werden aber nicht gefunden. Kürzen oder löschen Sie, was am meisten belegt, oder bitten Sie den Betreiber um mehr Speicher. Die Liste steht unter „Speicher der Suche“.`,
    },
    unreadable: {
      en: (count: string) =>
        `${count} entries or products are damaged: they are not found, or by words alone. Tell the operator of the service.`,
      de: (count) =>
        `${count} Einträge oder Produkte sind beschädigt und werden nicht oder nur nach ihren Wörtern gefunden. Sagen Sie dem Betreiber des Dienstes Bescheid.`,
    },
    newModel: {
      en: (done: string, all: string) =>
        `A new model is being prepared: ${done} of ${all} are ready. Until then search uses the old one.`,
      de: (done, all) =>
        `Ein neues Modell wird vorbereitet: ${done} von ${all} sind fertig. Bis dahin nutzt die Suche das alte.`,
    },
    unread: {
      en: 'The service cannot read texts as a whole, so searches by meaning are less exact. Nothing is lost. Tell the operator of the service.',
      de: 'Der Dienst kann Texte nicht im Ganzen lesen. Suchen nach Bedeutung sind deshalb weniger genau. Es geht nichts verloren. Sagen Sie dem Betreiber des Dienstes Bescheid.',
    },
    providerFails: {
      en: 'The model’s provider gives no answer, so searches by meaning fail and others go by words. Nothing is lost. Tell the operator of the service.',
      de: 'Der Anbieter des Modells antwortet nicht. Suchen nach Bedeutung schlagen deshalb fehl, andere suchen nach Wörtern. Es geht nichts verloren. Sagen Sie dem Betreiber des Dienstes Bescheid.',
    },
    failing: {
      en: (count: string) =>
        `For ${count} entries or products the model’s provider does not answer. The service keeps trying; until then search by meaning finds them less well or not at all.`,
      de: (count) =>
        `Für ${count} Einträge oder Produkte antwortet der Anbieter des Modells nicht. Der Dienst versucht es weiter; bis dahin findet die Suche nach Bedeutung sie schlechter oder gar nicht.`,
    },
    waiting: {
      en: (count: string) =>
        `${count} entries or products are being prepared for search by meaning. Until then it finds them less well or not at all.`,
      de: (count) =>
        `${count} Einträge oder Produkte werden für die Suche nach Bedeutung vorbereitet. Bis dahin findet diese sie schlechter oder gar nicht.`,
    },
  },
  meaning: {
    title: { en: 'Search by meaning', de: 'Suche nach Bedeutung' },
    help: {
      en: 'Each entry and product is prepared once, so that search understands what it is about.',
      de: 'Jeder Eintrag und jedes Produkt wird einmal vorbereitet, damit die Suche versteht, worum es geht.',
    },
    progress: { en: 'Prepared', de: 'Vorbereitet' },
    of: { en: (done: string, all: string) => `${done} of ${all}`, de: (done, all) => `${done} von ${all}` },
    none: { en: 'There are no entries or products yet.', de: 'Es gibt noch keine Einträge oder Produkte.' },
    model: { en: 'Model', de: 'Modell' },
    noModel: {
      en: 'None yet. It is chosen with the first entry.',
      de: 'Noch keines. Es wird mit dem ersten Eintrag gewählt.',
    },
    target: { en: 'New model', de: 'Neues Modell' },
    queue: { en: 'Waiting', de: 'Warten noch' },
    failing: { en: 'Of these, tried in vain', de: 'Davon vergeblich versucht' },
    lastError: { en: 'What the provider said last', de: 'Letzte Meldung des Anbieters' },
  },
  models: {
    title: { en: 'Model of the search', de: 'Modell der Suche' },
    help: {
      en: 'What search compares meaning with. You may change it at any time: searches go on with the old model until everything is ready for the new one.',
      de: 'Womit die Suche Bedeutungen vergleicht. Sie können es jederzeit wechseln: Die Suche nutzt das alte Modell weiter, bis für das neue alles bereit ist.',
    },
    model: { en: 'Model', de: 'Modell' },
    cost: { en: 'State or cost', de: 'Stand oder Aufwand' },
    action: { en: 'Choose', de: 'Wählen' },
    names: {
      both: {
        name: { en: 'Reads sentences and knows words', de: 'Liest Sätze und kennt Wörter' },
        help: {
          en: 'The best answers, also for questions in another language.',
          de: 'Die besten Antworten, auch auf Fragen in einer anderen Sprache.',
        },
      },
      'contextual-eu-v1': {
        name: { en: 'Reads sentences', de: 'Liest Sätze' },
        help: { en: 'Understands what a sentence says.', de: 'Versteht, was ein Satz sagt.' },
      },
      'static-de-en-v2': {
        name: { en: 'Knows words', de: 'Kennt Wörter' },
        help: {
          en: 'The quickest, for German and English.',
          de: 'Das schnellste, für Deutsch und Englisch.',
        },
      },
    },
    offer: {
      en: (passages: string, time: string) =>
        `Search that reads gives better answers. For it the service reads ${passages} passages, which takes ${time}. Searches go on meanwhile.`,
      de: (passages, time) =>
        `Eine Suche, die liest, gibt bessere Antworten. Dafür liest der Dienst ${passages} Abschnitte, das dauert ${time}. Die Suche läuft währenddessen weiter.`,
    },
    toRead: {
      en: (passages: string, time: string) => `Passages to read: ${passages}, ${time}`,
      de: (passages, time) => `Abschnitte zu lesen: ${passages}, ${time}`,
    },
    minutes: {
      en: (count: number) => (count <= 1 ? 'about a minute' : `about ${count} minutes`),
      de: (count) => (count <= 1 ? 'etwa eine Minute' : `etwa ${count} Minuten`),
    },
    inUse: { en: 'In use', de: 'In Gebrauch' },
    moving: { en: 'Being prepared', de: 'Wird vorbereitet' },
    until: { en: 'In use until then', de: 'Bis dahin in Gebrauch' },
    free: { en: 'Nothing, everything is ready', de: 'Nichts, alles ist bereit' },
    notHere: {
      en: 'Not possible on this server. Ask the operator of the service.',
      de: 'Auf diesem Server nicht möglich. Fragen Sie den Betreiber des Dienstes.',
    },
    choose: { en: 'Use it', de: 'Verwenden' },
    chooseNamed: { en: (name: string) => `Use it: ${name}`, de: (name) => `Verwenden: ${name}` },
    notChosen: {
      en: 'You have chosen none: the operator’s settings decide.',
      de: 'Sie haben keines gewählt: Es gelten die Einstellungen des Betreibers.',
    },
    chosen: { en: 'You have chosen the model yourself.', de: 'Sie haben das Modell selbst gewählt.' },
    leave: { en: 'Leave it to the operator', de: 'Dem Betreiber überlassen' },
    done: { en: 'Search uses this model', de: 'Die Suche nutzt dieses Modell' },
    begun: {
      en: 'The new model is being prepared. Searches go on meanwhile.',
      de: 'Das neue Modell wird vorbereitet. Die Suche läuft währenddessen weiter.',
    },
    conflict: {
      en: 'Somebody else has changed settings while you were here. Look again, then choose.',
      de: 'Jemand anderes hat Einstellungen geändert, während Sie hier waren. Sehen Sie noch einmal hin und wählen Sie dann.',
    },
  },
  memory: {
    title: { en: 'Search memory', de: 'Speicher der Suche' },
    help: {
      en: 'What the search index of your organisation takes in memory. An index that nobody has searched lately takes nothing.',
      de: 'Was der Suchindex Ihrer Organisation im Arbeitsspeicher belegt. Ein Index, in dem länger niemand gesucht hat, belegt nichts.',
    },
    used: { en: 'Used', de: 'Belegt' },
    of: { en: (used: string, all: string) => `${used} of ${all}`, de: (used, all) => `${used} von ${all}` },
    documents: { en: 'Entries and products in memory', de: 'Einträge und Produkte im Speicher' },
    passages: { en: 'Passages of text', de: 'Textabschnitte' },
    leftOut: { en: 'Not found by search, the latest first', de: 'Nicht gefunden, die neuesten zuerst' },
    leftOutOf: {
      en: (index: string, owner: string | null) =>
        owner === null ? (index === 'products' ? 'Product' : 'Entry') : `Entry of the person ${owner}`,
      de: (index, owner) =>
        owner === null ? (index === 'products' ? 'Produkt' : 'Eintrag') : `Eintrag der Person ${owner}`,
    },
    none: { en: 'Search is starting again.', de: 'Die Suche startet neu.' },
  },
  quotas: {
    title: { en: 'Quotas', de: 'Kontingente' },
    help: {
      en: 'What the operator of the service lets your organisation have and use.',
      de: 'Was der Betreiber des Dienstes Ihrer Organisation zugesteht.',
    },
    entries: { en: 'Entries', de: 'Einträge' },
    bytes: { en: 'Text', de: 'Text' },
    bytesHelp: { en: 'With earlier versions and the bin.', de: 'Mit früheren Versionen und Papierkorb.' },
    tokens: { en: 'Tokens this month', de: 'Tokens im Monat' },
    requests: { en: 'Requests per minute', de: 'Anfragen pro Minute' },
    of: { en: (used: string, most: string) => `${used} of ${most}`, de: (used, most) => `${used} von ${most}` },
    unbounded: { en: (used: string) => `${used}, no quota`, de: (used) => `${used}, ohne Kontingent` },
    none: { en: 'No quota', de: 'Kein Kontingent' },
    paused: {
      en: (until: string) =>
        `The tokens of this month are used up. Until ${until} search goes by words, and what is written is found by its words.`,
      de: (until) =>
        `Die Tokens dieses Monats sind verbraucht. Bis ${until} geht die Suche nach Wörtern, und Neues wird nach seinen Wörtern gefunden.`,
    },
  },
  service: {
    title: { en: 'Service', de: 'Dienst' },
    version: { en: 'Version', de: 'Version' },
  },
})

export type SystemWords = ReturnType<typeof useSystemWords>
