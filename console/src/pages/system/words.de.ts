import type { SystemWords } from './words.en.ts'

export const words: SystemWords = {
  title: 'System',
  intro: 'Zustand des Dienstes für Ihre Organisation.',
  forbidden: 'Nur Administratoren sehen, wie es dem Dienst geht.',
  forbiddenHelp: 'Fragen Sie einen Administrator Ihrer Organisation.',
  well: 'Alles in Ordnung',
  wellHelp: 'Die Suche findet alles, nach Bedeutung und nach Wörtern.',
  look: 'Das sollten Sie wissen',
  checked: 'Geprüft',
  again: 'Jetzt prüfen',
  renewFailed: 'Der neueste Stand ließ sich nicht abrufen. Was Sie sehen, ist älter.',
  concerns: {
    searchDown:
      'Die Suche startet neu. In wenigen Sekunden ist sie wieder da; bis dahin schlagen Suchen fehl. Es geht nichts verloren.',
    noRoom:
      'Der Suchindex hat keinen Platz mehr. Löschen Sie, was niemand braucht, oder bitten Sie den Betreiber um mehr Speicher.',
    unreadable: (count) =>
      `${count} Einträge oder Produkte sind beschädigt und werden nicht oder nur nach ihren Wörtern gefunden. Sagen Sie dem Betreiber des Dienstes Bescheid.`,
    newModel: (done, all) =>
      `Ein neues Modell wird vorbereitet: ${done} von ${all} sind fertig. Bis dahin nutzt die Suche das alte.`,
    failing: (count) =>
      `Für ${count} Einträge oder Produkte antwortet der Anbieter des Modells nicht. Der Dienst versucht es weiter; bis dahin werden sie nach ihren Wörtern gefunden.`,
    waiting: (count) =>
      `${count} Einträge oder Produkte werden für die Suche nach Bedeutung vorbereitet. Bis dahin werden sie nach ihren Wörtern gefunden.`,
  },
  meaning: {
    title: 'Suche nach Bedeutung',
    help: 'Jeder Eintrag und jedes Produkt wird einmal vorbereitet, damit die Suche versteht, worum es geht.',
    progress: 'Vorbereitet',
    of: (done, all) => `${done} von ${all}`,
    none: 'Es gibt noch keine Einträge oder Produkte.',
    model: 'Modell',
    noModel: 'Noch keines. Es wird mit dem ersten Eintrag gewählt.',
    target: 'Neues Modell',
    queue: 'Warten noch',
    failing: 'Davon vergeblich versucht',
    lastError: 'Letzte Meldung des Anbieters',
  },
  memory: {
    title: 'Speicher der Suche',
    help: 'Was der Suchindex Ihrer Organisation im Arbeitsspeicher belegt. Ein Index, in dem länger niemand gesucht hat, belegt nichts.',
    used: 'Belegt',
    of: (used, all) => `${used} von ${all}`,
    documents: 'Einträge und Produkte im Speicher',
    passages: 'Textabschnitte',
    none: 'Die Suche startet neu.',
  },
  quotas: {
    title: 'Kontingente',
    help: 'Was der Betreiber des Dienstes Ihrer Organisation zugesteht.',
    entries: 'Einträge',
    bytes: 'Text',
    bytesHelp: 'Mit früheren Versionen und Papierkorb.',
    tokens: 'Tokens im Monat',
    requests: 'Anfragen pro Minute',
    of: (used, most) => `${used} von ${most}`,
    unbounded: (used) => `${used}, ohne Kontingent`,
    none: 'Kein Kontingent',
    paused: (until) =>
      `Die Tokens dieses Monats sind verbraucht. Bis ${until} geht die Suche nach Wörtern, und Neues wird nach seinen Wörtern gefunden.`,
  },
  service: { title: 'Dienst', version: 'Version' },
}
