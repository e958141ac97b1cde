import { pageWords } from '../../i18n/language.tsx'
import type { EachLanguage } from '../../i18n/table.ts'

const threads: Readonly<Record<string, EachLanguage>> = {
  search: { en: 'Search', de: 'Suche' },
  embedding: { en: 'Search by meaning', de: 'Suche nach Bedeutung' },
  reader: { en: 'Reading of texts', de: 'Lesen der Texte' },
  log: { en: 'Search log', de: 'Suchprotokoll' },
}

const logActions: Readonly<Record<string, EachLanguage>> = {
  create: { en: 'Created', de: 'Angelegt' },
  update: { en: 'Changed', de: 'Geändert' },
  revoke: { en: 'Revoked', de: 'Widerrufen' },
  suspend: { en: 'Suspended', de: 'Gesperrt' },
  resume: { en: 'Resumed', de: 'Entsperrt' },
  plan_removal: { en: 'Removal planned', de: 'Entfernen geplant' },
  cancel_removal: { en: 'Removal cancelled', de: 'Entfernen abgebrochen' },
  remove: { en: 'Removed', de: 'Entfernt' },
  restore: { en: 'Restored', de: 'Wiederhergestellt' },
}

export const useOperatorWords = pageWords({
  operator: { en: 'Operator', de: 'Betreiber' },
  navigation: { en: 'Pages of the operator', de: 'Seiten des Betreibers' },
  leave: { en: 'Leave', de: 'Verlassen' },
  pages: {
    tenants: { en: 'Organisations', de: 'Organisationen' },
    status: { en: 'Status', de: 'Zustand' },
    log: { en: 'Log', de: 'Protokoll' },
  },
  entry: {
    title: { en: 'Operator', de: 'Betreiber' },
    intro: {
      en: 'For whoever runs this service: organisations, their use, and how the service is doing.',
      de: 'Für alle, die diesen Dienst betreiben: Organisationen, ihr Verbrauch und wie es dem Dienst geht.',
    },
    credential: { en: 'Operator credential', de: 'Betreiberschlüssel' },
    credentialHelp: {
      en: 'Begins with op_. The command “knowledge operator issue --name NAME” makes one.',
      de: 'Beginnt mit op_. Der Befehl „knowledge operator issue --name NAME“ stellt einen aus.',
    },
    submit: { en: 'Sign in', de: 'Anmelden' },
    busy: { en: 'Signing in …', de: 'Anmeldung läuft …' },
    unknown: {
      en: 'This credential is not valid. It may be mistyped, revoked or expired.',
      de: 'Dieser Schlüssel gilt nicht. Vielleicht ist er vertippt, widerrufen oder abgelaufen.',
    },
    network: {
      en: 'Operators are not served from your network. Connect from the network that the service allows.',
      de: 'Aus Ihrem Netz sind die Seiten des Betreibers nicht erreichbar. Verbinden Sie sich aus dem Netz, das der Dienst erlaubt.',
    },
    needed: { en: 'Enter the credential.', de: 'Geben Sie den Schlüssel ein.' },
    form: {
      en: 'An operator credential begins with op_ and has 43 characters.',
      de: 'Ein Betreiberschlüssel beginnt mit op_ und hat 43 Zeichen.',
    },
    kept: {
      en: 'The credential stays in this tab alone. It is forgotten when you reload or close the tab, or do nothing for an hour.',
      de: 'Der Schlüssel bleibt nur in diesem Tab. Er wird vergessen, wenn Sie den Tab neu laden oder schließen oder eine Stunde lang nichts tun.',
    },
    console: { en: 'To the console of an organisation', de: 'Zur Konsole einer Organisation' },
    againTitle: { en: 'Enter the credential again', de: 'Schlüssel erneut eingeben' },
    againText: {
      en: 'The credential was forgotten or is no longer valid. What you typed is still here.',
      de: 'Der Schlüssel wurde vergessen oder gilt nicht mehr. Ihre Eingaben sind noch da.',
    },
  },
  states: {
    active: { en: 'Active', de: 'Aktiv' },
    suspended: { en: 'Suspended', de: 'Gesperrt' },
    removal_planned: { en: 'To be removed', de: 'Wird entfernt werden' },
    removing: { en: 'Being removed', de: 'Wird gerade entfernt' },
  },
  tenants: {
    title: { en: 'Organisations', de: 'Organisationen' },
    intro: {
      en: 'Everybody who uses this service, and how much.',
      de: 'Alle, die diesen Dienst nutzen, und wie viel.',
    },
    create: { en: 'Create organisation', de: 'Organisation anlegen' },
    table: { en: 'Organisations', de: 'Organisationen' },
    find: { en: 'Name or short name', de: 'Name oder Kurzname' },
    state: { en: 'State', de: 'Zustand' },
    anyState: { en: 'Any state', de: 'Jeder Zustand' },
    month: { en: 'Use in', de: 'Verbrauch im' },
    name: { en: 'Name', de: 'Name' },
    entries: { en: 'Entries', de: 'Einträge' },
    products: { en: 'Products', de: 'Produkte' },
    size: { en: 'Text', de: 'Text' },
    searches: { en: 'Searches', de: 'Suchen' },
    tokens: { en: 'Tokens', de: 'Tokens' },
    people: { en: 'People', de: 'Personen' },
    notCounted: { en: 'not counted yet', de: 'noch nicht gezählt' },
    empty: { en: 'There is no organisation yet', de: 'Es gibt noch keine Organisation' },
    emptyHelp: { en: 'Create the first one.', de: 'Legen Sie die erste an.' },
    export: { en: 'Export use (CSV)', de: 'Verbrauch exportieren (CSV)' },
    exported: { en: 'The file is on its way', de: 'Die Datei ist unterwegs' },
    counted: {
      en: 'What organisations have is counted about every ten minutes.',
      de: 'Was Organisationen haben, wird etwa alle zehn Minuten gezählt.',
    },
  },
  create: {
    title: { en: 'Create an organisation', de: 'Organisation anlegen' },
    id: { en: 'Short name', de: 'Kurzname' },
    idHelp: {
      en: 'a–z, 0–9 and hyphens. It can never be changed or given again.',
      de: 'a–z, 0–9 und Bindestriche. Lässt sich nie ändern und wird nie wieder vergeben.',
    },
    name: { en: 'Name', de: 'Name' },
    nameHelp: { en: 'By default the short name.', de: 'Sonst der Kurzname.' },
    reference: { en: 'Your reference', de: 'Ihr Zeichen' },
    referenceHelp: { en: 'Such as a customer number.', de: 'Zum Beispiel eine Kundennummer.' },
    host: { en: 'Own address', de: 'Eigene Adresse' },
    hostHelp: {
      en: 'Such as knowledge.acme.example, if it has one.',
      de: 'Zum Beispiel wissen.acme.example, wenn es eine gibt.',
    },
    language: { en: 'Language of its content', de: 'Sprache der Inhalte' },
    email: { en: 'Email of the first administrator', de: 'E-Mail des ersten Administrators' },
    emailHelp: {
      en: 'They get a password, which you hand over. Without an address there is nobody yet.',
      de: 'Bekommt ein Passwort, das Sie weitergeben. Ohne Adresse gibt es dort noch niemanden.',
    },
    person: { en: 'Name of the first administrator', de: 'Name des ersten Administrators' },
    key: { en: 'Also make an API key', de: 'Auch einen API-Schlüssel ausstellen' },
    keyHelp: {
      en: 'For a script that sets the organisation up. It has all rights of an administrator.',
      de: 'Für ein Skript, das die Organisation einrichtet. Er hat alle Rechte eines Administrators.',
    },
    keyName: { en: 'Set-up', de: 'Einrichtung' },
    submit: { en: 'Create', de: 'Anlegen' },
    busy: { en: 'Creating …', de: 'Wird angelegt …' },
    known: {
      en: 'An organisation with this reference exists already. Nothing was created.',
      de: 'Es gibt schon eine Organisation mit diesem Zeichen. Es wurde nichts angelegt.',
    },
    idForm: {
      en: 'Use 1 to 63 characters of a–z, 0–9 and hyphens, with a letter or digit first and last.',
      de: 'Verwenden Sie 1 bis 63 Zeichen aus a–z, 0–9 und Bindestrich, am Anfang und Ende Buchstabe oder Ziffer.',
    },
    taken: {
      en: 'This is taken. Short names of removed organisations are never given again.',
      de: 'Das ist vergeben. Kurznamen entfernter Organisationen werden nie wieder vergeben.',
    },
  },
  secrets: {
    title: { en: (name: string) => `${name} is created`, de: (name) => `${name} ist angelegt` },
    warning: {
      en: 'Copy this now and hand it over safely. It is shown only once.',
      de: 'Kopieren Sie das jetzt und geben Sie es sicher weiter. Es wird nur einmal gezeigt.',
    },
    email: { en: 'Administrator', de: 'Administrator' },
    password: { en: 'Password', de: 'Passwort' },
    key: { en: 'API key', de: 'API-Schlüssel' },
    done: { en: 'I’ve saved it', de: 'Ich habe es gesichert' },
  },
  tenant: {
    name: { en: 'Name', de: 'Name' },
    host: { en: 'Own address', de: 'Eigene Adresse' },
    reference: { en: 'Your reference', de: 'Ihr Zeichen' },
    back: { en: 'All organisations', de: 'Alle Organisationen' },
    facts: { en: 'Facts', de: 'Angaben' },
    id: { en: 'Short name', de: 'Kurzname' },
    created: { en: 'Created', de: 'Angelegt' },
    state: { en: 'State', de: 'Zustand' },
    activeText: { en: 'People can work.', de: 'Hier kann gearbeitet werden.' },
    suspendedText: {
      en: (since: string) => `Suspended since ${since}: nobody can sign in, and keys are refused. Nothing is lost.`,
      de: (since) =>
        `Gesperrt seit ${since}: Niemand kann sich anmelden, Schlüssel werden abgelehnt. Es geht nichts verloren.`,
    },
    plannedText: {
      en: (at: string) => `Will be removed with everything it has on ${at}. Until then you can cancel that.`,
      de: (at) => `Wird am ${at} mit allem entfernt, was sie hat. Bis dahin können Sie das abbrechen.`,
    },
    removingText: {
      en: 'Is being removed. This cannot be undone.',
      de: 'Wird gerade entfernt. Das lässt sich nicht rückgängig machen.',
    },
    suspend: { en: 'Suspend', de: 'Sperren' },
    suspendTitle: { en: (name: string) => `Suspend ${name}?`, de: (name) => `${name} sperren?` },
    suspendText: {
      en: 'From this moment nobody can sign in, and all keys are refused. Nothing is lost, and you can undo it.',
      de: 'Ab sofort kann sich niemand anmelden, und alle Schlüssel werden abgelehnt. Es geht nichts verloren, und Sie können es rückgängig machen.',
    },
    suspended: { en: (name: string) => `${name} is suspended`, de: (name) => `${name} ist gesperrt` },
    resume: { en: 'Resume', de: 'Entsperren' },
    resumed: { en: (name: string) => `${name} works again`, de: (name) => `${name} ist entsperrt` },
    remove: { en: 'Remove …', de: 'Entfernen …' },
    removeTitle: { en: (name: string) => `Remove ${name}?`, de: (name) => `${name} entfernen?` },
    removeText: {
      en: 'Everything it has is deleted: entries, products, people, keys and records. Until the removal begins you can cancel it.',
      de: 'Alles wird gelöscht: Einträge, Produkte, Personen, Schlüssel und Protokoll. Bis das Entfernen beginnt, können Sie es abbrechen.',
    },
    graceDays: { en: 'Begin after', de: 'Beginnt nach' },
    graceUnit: { en: 'days', de: 'Tagen' },
    graceHelp: {
      en: 'With 0 it begins at once and cannot be cancelled.',
      de: 'Bei 0 beginnt es sofort und lässt sich nicht abbrechen.',
    },
    confirmId: { en: (id: string) => `To confirm, enter ${id}`, de: (id) => `Geben Sie zur Bestätigung ${id} ein` },
    confirmFault: { en: (id: string) => `Enter ${id}.`, de: (id) => `Geben Sie ${id} ein.` },
    removeSubmit: { en: 'Remove', de: 'Entfernen' },
    planned: { en: 'The removal is planned', de: 'Das Entfernen ist geplant' },
    keep: { en: 'Cancel removal', de: 'Entfernen abbrechen' },
    kept: {
      en: 'The removal is cancelled. The organisation stays suspended.',
      de: 'Das Entfernen ist abgebrochen. Die Organisation bleibt gesperrt.',
    },
    last: {
      en: 'The last organisation stays: the service needs one.',
      de: 'Die letzte Organisation bleibt: Der Dienst braucht eine.',
    },
    usage: { en: 'Use', de: 'Verbrauch' },
    has: { en: 'What it has', de: 'Bestand' },
    used: { en: 'Used this month', de: 'In diesem Monat' },
    passages: { en: 'Passages', de: 'Textabschnitte' },
    keys: { en: 'API keys', de: 'API-Schlüssel' },
    requests: { en: 'Requests', de: 'Anfragen' },
    work: { en: 'Work (seconds)', de: 'Rechenzeit (Sekunden)' },
    transferred: { en: 'Transferred', de: 'Übertragen' },
    index: { en: 'Search memory at most', de: 'Suchspeicher höchstens' },
    counted: { en: 'Counted', de: 'Gezählt' },
    neverCounted: {
      en: 'Not counted yet; that happens about every ten minutes.',
      de: 'Noch nicht gezählt; das geschieht etwa alle zehn Minuten.',
    },
    days: { en: 'By day', de: 'Nach Tagen' },
    day: { en: 'Day', de: 'Tag' },
    noDays: { en: 'Nothing was used in this month.', de: 'In diesem Monat wurde nichts verbraucht.' },
    settings: { en: 'Settings', de: 'Einstellungen' },
    organisation: { en: 'Organisation', de: 'Organisation' },
    organisationHelp: {
      en: 'What the organisation is called, and where it is reached.',
      de: 'Wie die Organisation heißt und wo sie zu erreichen ist.',
    },
    saved: { en: 'Saved', de: 'Gespeichert' },
    hostTaken: { en: 'Another organisation has this address.', de: 'Diese Adresse hat eine andere Organisation.' },
    hostForm: {
      en: 'Enter a host name in lower case, such as knowledge.acme.example.',
      de: 'Geben Sie einen Hostnamen in Kleinbuchstaben ein, zum Beispiel wissen.acme.example.',
    },
    referenceTaken: {
      en: 'Another organisation has this reference.',
      de: 'Dieses Zeichen hat eine andere Organisation.',
    },
    quotaUse: { en: 'Use of the quotas', de: 'Nutzung der Kontingente' },
    quotas: { en: 'Quotas', de: 'Kontingente' },
    quotasHelp: {
      en: 'In force from the next request on. An empty field sets no quota. What is there already stays.',
      de: 'Gelten ab der nächsten Anfrage. Ein leeres Feld setzt kein Kontingent. Was schon da ist, bleibt.',
    },
    megabytes: { en: 'MB', de: 'MB' },
    tabs: {
      usage: { en: 'Use', de: 'Verbrauch' },
      quotas: { en: 'Quotas', de: 'Kontingente' },
      settings: { en: 'Settings', de: 'Einstellungen' },
    },
    gone: {
      en: 'There is no organisation with this short name',
      de: 'Es gibt keine Organisation mit diesem Kurznamen',
    },
    goneHelp: { en: 'It may have been removed.', de: 'Vielleicht wurde sie entfernt.' },
  },
  status: {
    title: { en: 'Status', de: 'Zustand' },
    intro: {
      en: 'How the service is doing, seen by the process that answers.',
      de: 'Zustand des Dienstes, aus Sicht des Prozesses, der antwortet.',
    },
    well: { en: 'All is well', de: 'Alles in Ordnung' },
    look: { en: 'Worth a look', de: 'Das sollten Sie wissen' },
    again: { en: 'Check now', de: 'Jetzt prüfen' },
    checked: { en: 'Checked', de: 'Geprüft' },
    renewFailed: {
      en: 'The latest state could not be fetched. What you see is older.',
      de: 'Der neueste Stand ließ sich nicht abrufen. Was Sie sehen, ist älter.',
    },
    concerns: {
      thread: {
        en: (name: string) => `“${name}” has stopped and is being started again. The log of the service says why.`,
        de: (name) => `„${name}“ ist ausgefallen und startet neu. Warum, sagt das Log des Dienstes.`,
      },
      noRoom: {
        en: (count: string) =>
          `${count} search indexes have no room. Raise SEARCH_MEMORY_MB, or SEARCH_MEMORY_PER_TENANT_MB for large organisations.`,
        de: (count) =>
          `${count} Suchindexe haben keinen Platz. Erhöhen Sie SEARCH_MEMORY_MB, für große Organisationen SEARCH_MEMORY_PER_TENANT_MB.`,
      },
      leftOut: {
        en: (count: string) =>
          `${count} entries or products are not found by search, since the search memory of their organisations is full. Raise SEARCH_MEMORY_PER_TENANT_MB.`,
        de: (count) =>
          `${count} Einträge oder Produkte werden nicht gefunden, weil der Speicher der Suche ihrer Organisationen voll ist. Erhöhen Sie SEARCH_MEMORY_PER_TENANT_MB.`,
      },
      full: {
        en: 'The search memory is almost full, so that indexes give way to each other. Raise SEARCH_MEMORY_MB.',
        de: 'Der Speicher der Suche ist fast voll, sodass Indexe einander weichen. Erhöhen Sie SEARCH_MEMORY_MB.',
      },
      unread: {
        en: (reason: string) =>
          `Texts are not read by the contextual model (${reason}), so searches by meaning go by the static model alone. knowledge doctor says what to do.`,
        de: (reason) =>
          `Das kontextuelle Modell liest keine Texte (${reason}). Suchen nach Bedeutung nutzen deshalb nur das statische Modell. knowledge doctor sagt, was zu tun ist.`,
      },
      providerFails: {
        en: 'The provider of the model gives no answer, so searches by meaning fail and others go by words. Check the EMBEDDING_ settings and the provider.',
        de: 'Der Anbieter des Modells antwortet nicht. Suchen nach Bedeutung schlagen deshalb fehl, andere suchen nach Wörtern. Prüfen Sie die EMBEDDING_-Einstellungen und den Anbieter.',
      },
      failing: {
        en: (count: string) =>
          `${count} texts wait because the provider of the model does not answer. Check the EMBEDDING_ settings and the provider.`,
        de: (count) =>
          `${count} Texte warten, weil der Anbieter des Modells nicht antwortet. Prüfen Sie die EMBEDDING_-Einstellungen und den Anbieter.`,
      },
      damaged: {
        en: (codes: string) =>
          `The database is damaged, or its disk fails (${codes}). The log of the service says what to do.`,
        de: (codes) =>
          `Die Datenbank ist beschädigt, oder ihr Datenträger versagt (${codes}). Das Protokoll des Dienstes sagt, was zu tun ist.`,
      },
      backupMissing: {
        en: 'There is no recent backup. Run knowledge backup every day, or set BACKUP_EVERY_HOURS; where other means back up the database, set BACKUP_ELSEWHERE=on.',
        de: 'Es gibt keine neue Sicherung. Führen Sie täglich knowledge backup aus, oder setzen Sie BACKUP_EVERY_HOURS; wo etwas anderes die Datenbank sichert, BACKUP_ELSEWHERE=on.',
      },
      backupFailed: {
        en: (why: string) => `The last backup failed: ${why}`,
        de: (why) => `Die letzte Sicherung ist fehlgeschlagen: ${why}`,
      },
      backupLate: {
        en: 'The last backup is long overdue. Find out why the service makes none.',
        de: 'Die letzte Sicherung ist längst überfällig. Finden Sie heraus, warum der Dienst keine macht.',
      },
      slow: {
        en: (ms: string) => `The database took ${ms} ms for a short question. Find out what keeps it busy.`,
        de: (ms) => `Die Datenbank brauchte ${ms} ms für eine kurze Frage. Finden Sie heraus, was sie beschäftigt.`,
      },
    },
    service: { en: 'Service', de: 'Dienst' },
    version: { en: 'Version', de: 'Version' },
    organisations: { en: 'Organisations', de: 'Organisationen' },
    organisationsText: {
      en: (active: string, suspended: string) => `${active} active, ${suspended} suspended`,
      de: (active, suspended) => `${active} aktiv, ${suspended} gesperrt`,
    },
    database: { en: 'Database', de: 'Datenbank' },
    databaseKinds: {
      sqlite: { en: 'SQLite, built in', de: 'SQLite, eingebaut' },
      postgres: { en: 'PostgreSQL', de: 'PostgreSQL' },
    },
    databaseVersion: {
      en: (kind: string, version: string) => `${kind} ${version}`,
      de: (kind, version) => `${kind} ${version}`,
    },
    answersIn: { en: 'Answers in', de: 'Antwortet in' },
    ms: { en: (count: string) => `${count} ms`, de: (count) => `${count} ms` },
    migrations: { en: 'Migrations applied', de: 'Angewandte Migrationen' },
    model: { en: 'Model', de: 'Modell' },
    pending: { en: 'Waiting texts', de: 'Wartende Texte' },
    failing: { en: 'Of these, tried in vain', de: 'Davon vergeblich versucht' },
    memory: { en: 'Search memory', de: 'Speicher der Suche' },
    used: { en: 'Used', de: 'Belegt' },
    usedOf: { en: (used: string, all: string) => `${used} of ${all}`, de: (used, all) => `${used} von ${all}` },
    indexes: { en: 'Indexes in memory', de: 'Indexe im Speicher' },
    documents: { en: 'Entries and products', de: 'Einträge und Produkte' },
    noMemory: { en: 'Search is starting again.', de: 'Die Suche startet neu.' },
    workers: { en: 'Background work', de: 'Arbeit im Hintergrund' },
    worker: { en: 'Part', de: 'Teil' },
    state: { en: 'State', de: 'Zustand' },
    runs: { en: 'Runs', de: 'Läuft' },
    down: { en: 'Starts again', de: 'Startet neu' },
    restarts: { en: 'Started again', de: 'Neu gestartet' },
    backups: { en: 'Backups', de: 'Sicherungen' },
    noBackups: {
      en: 'The service makes none by itself. BACKUP_EVERY_HOURS says how often it should.',
      de: 'Der Dienst macht von sich aus keine. Wie oft er es soll, sagt BACKUP_EVERY_HOURS.',
    },
    backupEvery: { en: 'How often', de: 'Wie oft' },
    hours: {
      en: (count: string) => (count === '1' ? 'Every hour' : `Every ${count} hours`),
      de: (count) => (count === '1' ? 'Jede Stunde' : `Alle ${count} Stunden`),
    },
    lastBackup: { en: 'Last backup', de: 'Letzte Sicherung' },
    noneYet: { en: 'None yet', de: 'Noch keine' },
    backupSize: { en: 'Size', de: 'Größe' },
    threads,
  },
  log: {
    title: { en: 'Log', de: 'Protokoll' },
    intro: {
      en: 'What operators did with organisations and credentials.',
      de: 'Was Betreiber mit Organisationen und Schlüsseln getan haben.',
    },
    table: { en: 'Log', de: 'Protokoll' },
    when: { en: 'When', de: 'Wann' },
    who: { en: 'Who', de: 'Wer' },
    what: { en: 'What happened', de: 'Was geschah' },
    thing: { en: 'About', de: 'Betrifft' },
    actions: logActions,
    kinds: {
      operator: { en: 'Operator credential', de: 'Betreiberschlüssel' },
      tenant: { en: 'Organisation', de: 'Organisation' },
      secretKey: { en: 'Secret key', de: 'Geheimer Schlüssel' },
    },
    commandLine: { en: 'On the command line', de: 'Auf der Kommandozeile' },
    service: { en: 'The service itself', de: 'Der Dienst selbst' },
    unknown: { en: 'An operator', de: 'Ein Betreiber' },
    empty: { en: 'Nothing has happened yet', de: 'Es ist noch nichts geschehen' },
    emptyHelp: {
      en: 'As soon as an operator does something, it stands here.',
      de: 'Sobald ein Betreiber etwas tut, steht es hier.',
    },
  },
})

export type OperatorWords = ReturnType<typeof useOperatorWords>
