import type { SettingsWords } from './words.en.ts'

export const words: SettingsWords = {
  title: 'Allgemeine Einstellungen',
  intro: 'Was für alle in Ihrer Organisation gilt. Änderungen wirken, sobald Sie sie speichern.',
  saved: 'Gespeichert',
  forbidden: 'Nur Administratoren können die Einstellungen ändern.',
  forbiddenHelp: 'Fragen Sie einen Administrator Ihrer Organisation, wenn etwas anders sein soll.',
  conflict: 'Jemand anderes hat Einstellungen geändert, während Sie hier waren',
  conflictTheirs: (name, value) => `${name}: jetzt ${value}`,
  conflictYours: (name, theirs, yours) => `${name}: dort ${theirs}, bei Ihnen ${yours}`,
  conflictHelp:
    'Ihre eigenen Änderungen sind noch da und nicht gespeichert. Speichern Sie erneut, um sie zu behalten, oder verwerfen Sie sie.',
  on: 'an',
  off: 'aus',
  days: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
  daysUnit: 'Tage',
  fields: {
    name: 'Name der Organisation',
    language: 'Sprache neuer Inhalte',
    host: 'Eigene Adresse',
    vector_weight: 'Gewicht der Bedeutung bei Einträgen',
    product_vector_weight: 'Gewicht der Bedeutung bei Produkten',
    variant_strategy: 'Varianten eines Produkts',
    oauth_registration: 'Wer Assistenten und Anwendungen verbinden darf',
    search_log: 'Suchen aufzeichnen',
    search_log_queries: 'Eingegebenen Text behalten',
    search_log_days: 'Suchen und Klicks behalten für',
    click_learning: 'Aus Klicks lernen',
    trusted_visitors: 'Alle Besuchernummern kommen von unseren eigenen Servern',
    bin_days: 'Gelöschte Einträge behalten für',
    version_days: 'Frühere Fassungen behalten für',
    audit_days: 'Protokoll behalten für',
    workspaces: 'Arbeitsbereiche nur für ihre Mitglieder öffnen',
    require_second_factor: 'Wer einen zweiten Faktor braucht',
    search_engine: 'Wo gesucht wird',
    embedding_model: 'Modell',
  },
  organisation: {
    title: 'Organisation',
    help: 'Wie die Organisation hier heißt und in welcher Sprache sie meist schreibt.',
    languageHelp: 'Gilt, wo ein Eintrag seine Sprache nicht nennt und auch sein Text sie nicht verrät.',
    hostHelp: 'Legt der Betreiber des Dienstes fest.',
    noHost: 'Die gemeinsame Adresse des Dienstes',
  },
  search: {
    title: 'Suche',
    help: 'Die Suche verbindet die Bedeutung einer Frage mit ihren Wörtern.',
    weightHelp: '0 achtet nur auf Wörter, üblich ist 0,5. Je höher, desto mehr zählt die Bedeutung.',
    engines: {
      memory: { name: 'Im Speicher des Dienstes', help: 'Jede Suche sieht alles an. Für die meisten richtig.' },
      pgvector: {
        name: 'In der Datenbank',
        help: 'Für mehr Einträge, als in den Speicher passen. Weite Suchen ordnen nur die aussichtsreichsten.',
      },
    },
  },
  products: {
    title: 'Produkte',
    help: 'Was die Produktsuche zeigt.',
    variants: {
      all: {
        name: 'Produkte und alle ihre Varianten',
        help: 'Ein Hemd und jede seiner Größen können gefunden werden.',
      },
      children_only: { name: 'Nur Varianten', help: 'Jede Größe wird gefunden, das Hemd selbst nicht.' },
      parents_only: {
        name: 'Produkte ohne ihre Varianten',
        help: 'Das Hemd wird einmal gefunden, gleich in welcher Größe.',
      },
    },
  },
  assistants: {
    title: 'Assistenten und Anwendungen',
    help: 'Assistenten wie Claude oder ChatGPT verbinden sich selbst und handeln dann für die Person, die es erlaubt hat.',
    registrations: {
      open: {
        name: 'Alle',
        help: 'Assistenten stellen sich selbst vor. Jede Verbindung erlaubt trotzdem erst ein Mensch.',
      },
      key: {
        name: 'Wer einen API-Schlüssel hat',
        help: 'Ein Administrator bereitet die Verbindung mit einem Schlüssel vor.',
      },
      off: {
        name: 'Niemand',
        help: 'Neue Anwendungen lassen sich nicht verbinden. Bestehende Verbindungen bleiben.',
      },
    },
    clients: 'Ansehen, was verbunden ist',
  },
  workspaces: {
    title: 'Arbeitsbereiche',
    help: 'Arbeitsbereiche fassen Einträge für eine Gruppe von Personen zusammen.',
    closedHelp: 'Sonst ordnen Arbeitsbereiche nur, und wer genug Rechte hat, liest alle Einträge darin.',
  },
  retention: {
    title: 'Speicherung und Datenschutz',
    help: 'Was über Suchen aufbewahrt wird, und wie lange.',
    binHelp: 'So lange lassen sich gelöschte Einträge wiederherstellen. Bei 0 werden sie sofort endgültig gelöscht.',
    versionHelp: 'Gezählt ab dem Tag, an dem eine neuere Fassung sie ersetzt hat. Bei 0 bleiben alle.',
    auditHelp: 'Danach wird nicht mehr nachvollziehbar, wer was getan hat. Mindestens 30 Tage.',
    searchLogHelp: 'Grundlage der Auswertungen. Klicks werden in jedem Fall aufgezeichnet.',
    queriesHelp: 'Sonst werden Suchen gezählt, aber niemand kann lesen, wonach gesucht wurde.',
    logDaysHelp: 'Danach werden sie gelöscht.',
    learningHelp: 'Produkte, die viele nach einer Suche wählen, rücken nach vorn.',
    trustedHelp:
      'Nur, wenn allein Ihre eigenen Server Suchen und Klicks melden. Sonst könnten Fremde die Ergebnisse verschieben.',
  },
  security: {
    title: 'Anmeldung',
    help: 'Ein zweiter Faktor ist eine Authenticator-App oder ein Passkey zusätzlich zum Passwort.',
    factors: {
      off: { name: 'Niemand', help: 'Jede Person kann für sich selbst einen einrichten.' },
      on: {
        name: 'Wer sich mit einem Passwort anmeldet',
        help: 'Wer noch keinen hat, richtet ihn bei der nächsten Anmeldung ein.',
      },
      all: { name: 'Alle', help: 'Auch wer sich mit dem Firmenkonto anmeldet.' },
    },
    singleSignOn: 'Anmeldung mit Firmenkonto',
  },
  embedding: {
    title: 'Bedeutung',
    help: 'Das Modell, mit dem die Suche Bedeutungen vergleicht. Der Betreiber des Dienstes wählt es.',
    noModel: 'Noch keines. Es wird mit dem ersten Eintrag gewählt.',
    status: 'Ansehen, wie weit es ist',
  },
}
