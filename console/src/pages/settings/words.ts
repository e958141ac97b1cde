import { pageWords } from '../../i18n/language.tsx'

export const useSettingsWords = pageWords({
  title: { en: 'General settings', de: 'Allgemeine Einstellungen' },
  intro: {
    en: 'What holds for everybody in your organisation. Changes take effect as soon as you save them.',
    de: 'Was für alle in Ihrer Organisation gilt. Änderungen wirken, sobald Sie sie speichern.',
  },
  saved: { en: 'Saved', de: 'Gespeichert' },
  forbidden: {
    en: 'Only administrators can change the settings.',
    de: 'Nur Administratoren können die Einstellungen ändern.',
  },
  forbiddenHelp: {
    en: 'Ask an administrator of your organisation if something should be different.',
    de: 'Fragen Sie einen Administrator Ihrer Organisation, wenn etwas anders sein soll.',
  },
  conflict: {
    en: 'Somebody else changed settings while you were here',
    de: 'Jemand anderes hat Einstellungen geändert, während Sie hier waren',
  },
  conflictTheirs: {
    en: (name: string, value: string) => `${name}: now ${value}`,
    de: (name, value) => `${name}: jetzt ${value}`,
  },
  conflictYours: {
    en: (name: string, theirs: string, yours: string) => `${name}: they set ${theirs}, you ${yours}`,
    de: (name, theirs, yours) => `${name}: dort ${theirs}, bei Ihnen ${yours}`,
  },
  conflictHelp: {
    en: 'Your own changes are still here and not saved. Save again to keep them, or discard them.',
    de: 'Ihre eigenen Änderungen sind noch da und nicht gespeichert. Speichern Sie erneut, um sie zu behalten, oder verwerfen Sie sie.',
  },
  on: { en: 'on', de: 'an' },
  off: { en: 'off', de: 'aus' },
  days: {
    en: (count: number) => (count === 1 ? '1 day' : `${count} days`),
    de: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
  },
  daysUnit: { en: 'days', de: 'Tage' },
  fields: {
    name: { en: 'Name of the organisation', de: 'Name der Organisation' },
    language: { en: 'Language of new content', de: 'Sprache neuer Inhalte' },
    host: { en: 'Own address', de: 'Eigene Adresse' },
    vector_weight: { en: 'Weight of meaning for entries', de: 'Gewicht der Bedeutung bei Einträgen' },
    product_vector_weight: { en: 'Weight of meaning for products', de: 'Gewicht der Bedeutung bei Produkten' },
    variant_strategy: { en: 'Variants of a product', de: 'Varianten eines Produkts' },
    oauth_registration: {
      en: 'Who may connect assistants and applications',
      de: 'Wer Assistenten und Anwendungen verbinden darf',
    },
    search_log: { en: 'Record searches', de: 'Suchen aufzeichnen' },
    search_log_queries: { en: 'Keep what was typed', de: 'Eingegebenen Text behalten' },
    search_log_days: { en: 'Keep searches and clicks for', de: 'Suchen und Klicks behalten für' },
    click_learning: { en: 'Learn from clicks', de: 'Aus Klicks lernen' },
    trusted_visitors: {
      en: 'All visitor numbers come from our own servers',
      de: 'Alle Besuchernummern kommen von unseren eigenen Servern',
    },
    bin_days: { en: 'Keep deleted entries for', de: 'Gelöschte Einträge behalten für' },
    version_days: { en: 'Keep earlier versions for', de: 'Frühere Fassungen behalten für' },
    audit_days: { en: 'Keep the audit trail for', de: 'Protokoll behalten für' },
    workspaces: {
      en: 'Close workspaces to everybody but their members',
      de: 'Arbeitsbereiche nur für ihre Mitglieder öffnen',
    },
    foreign_pictures: { en: 'Show pictures of other servers', de: 'Bilder anderer Server anzeigen' },
    require_second_factor: { en: 'Who has to use a second factor', de: 'Wer einen zweiten Faktor braucht' },
    search_engine: { en: 'Where searches look', de: 'Wo gesucht wird' },
    embedding_model: { en: 'Model', de: 'Modell' },
  },
  organisation: {
    title: { en: 'Organisation', de: 'Organisation' },
    help: {
      en: 'How the organisation is called here, and the language it usually writes in.',
      de: 'Wie die Organisation hier heißt und in welcher Sprache sie meist schreibt.',
    },
    languageHelp: {
      en: 'Used where an entry does not say its language and its text does not tell.',
      de: 'Gilt, wo ein Eintrag seine Sprache nicht nennt und auch sein Text sie nicht verrät.',
    },
    noHost: { en: 'The shared address of the service', de: 'Die gemeinsame Adresse des Dienstes' },
  },
  search: {
    title: { en: 'Search', de: 'Suche' },
    help: {
      en: 'Search combines the meaning of a question with its words.',
      de: 'Die Suche verbindet die Bedeutung einer Frage mit ihren Wörtern.',
    },
    weightHelp: {
      en: '0 looks at words alone, 0.5 is usual. The higher, the more meaning counts.',
      de: '0 achtet nur auf Wörter, üblich ist 0,5. Je höher, desto mehr zählt die Bedeutung.',
    },
    engines: {
      memory: {
        name: { en: 'In the memory of the service', de: 'Im Speicher des Dienstes' },
        help: {
          en: 'Every search looks at everything. Right for most.',
          de: 'Jede Suche sieht alles an. Für die meisten richtig.',
        },
      },
      pgvector: {
        name: { en: 'In the database', de: 'In der Datenbank' },
        help: {
          en: 'For more entries than the memory holds. Broad searches rank only the most promising.',
          de: 'Für mehr Einträge, als in den Speicher passen. Weite Suchen ordnen nur die aussichtsreichsten.',
        },
      },
    },
  },
  products: {
    title: { en: 'Products', de: 'Produkte' },
    help: { en: 'What product search shows.', de: 'Was die Produktsuche zeigt.' },
    variants: {
      all: {
        name: { en: 'Products and all their variants', de: 'Produkte und alle ihre Varianten' },
        help: {
          en: 'A shirt and each of its sizes may be found.',
          de: 'Ein Hemd und jede seiner Größen können gefunden werden.',
        },
      },
      children_only: {
        name: { en: 'Variants alone', de: 'Nur Varianten' },
        help: {
          en: 'Each size is found, the shirt itself is not.',
          de: 'Jede Größe wird gefunden, das Hemd selbst nicht.',
        },
      },
      parents_only: {
        name: { en: 'Products without their variants', de: 'Produkte ohne ihre Varianten' },
        help: {
          en: 'The shirt is found once, whatever the sizes.',
          de: 'Das Hemd wird einmal gefunden, gleich in welcher Größe.',
        },
      },
    },
  },
  assistants: {
    title: { en: 'Assistants and applications', de: 'Assistenten und Anwendungen' },
    help: {
      en: 'Assistants such as Claude or ChatGPT connect themselves and then act for the person who allowed it.',
      de: 'Assistenten wie Claude oder ChatGPT verbinden sich selbst und handeln dann für die Person, die es erlaubt hat.',
    },
    registrations: {
      open: {
        name: { en: 'Everybody', de: 'Alle' },
        help: {
          en: 'Assistants introduce themselves. People still allow each one before it reads.',
          de: 'Assistenten stellen sich selbst vor. Jede Verbindung erlaubt trotzdem erst ein Mensch.',
        },
      },
      key: {
        name: { en: 'Whoever has an API key', de: 'Wer einen API-Schlüssel hat' },
        help: {
          en: 'An administrator prepares the connection with a key.',
          de: 'Ein Administrator bereitet die Verbindung mit einem Schlüssel vor.',
        },
      },
      off: {
        name: { en: 'Nobody', de: 'Niemand' },
        help: {
          en: 'No new application can be connected. Existing connections stay.',
          de: 'Neue Anwendungen lassen sich nicht verbinden. Bestehende Verbindungen bleiben.',
        },
      },
    },
    clients: { en: 'See what is connected', de: 'Ansehen, was verbunden ist' },
  },
  workspaces: {
    title: { en: 'Workspaces', de: 'Arbeitsbereiche' },
    help: {
      en: 'Workspaces hold entries for a group of people.',
      de: 'Arbeitsbereiche fassen Einträge für eine Gruppe von Personen zusammen.',
    },
    closedHelp: {
      en: 'Without this, workspaces only sort entries, and everybody with enough rights reads them.',
      de: 'Sonst ordnen Arbeitsbereiche nur, und wer genug Rechte hat, liest alle Einträge darin.',
    },
  },
  pictures: {
    title: { en: 'Pictures in entries', de: 'Bilder in Einträgen' },
    help: {
      en: 'Entries can name pictures at addresses on the web.',
      de: 'Einträge können Bilder an Adressen im Web nennen.',
    },
    foreignHelp: {
      en: 'Those servers then learn when and from where an entry is read. Without this, entries show links to their pictures.',
      de: 'Diese Server erfahren dann, wann und von wo ein Eintrag gelesen wird. Sonst zeigen Einträge Links zu ihren Bildern.',
    },
  },
  retention: {
    title: { en: 'Storage and privacy', de: 'Speicherung und Datenschutz' },
    help: {
      en: 'What is kept about searches, and for how long.',
      de: 'Was über Suchen aufbewahrt wird, und wie lange.',
    },
    binHelp: {
      en: 'Deleted entries can be restored for so long. With 0 they are deleted for good at once.',
      de: 'So lange lassen sich gelöschte Einträge wiederherstellen. Bei 0 werden sie sofort endgültig gelöscht.',
    },
    versionHelp: {
      en: 'Counted from the day on which a newer version took its place. With 0 all stay.',
      de: 'Gezählt ab dem Tag, an dem eine neuere Fassung sie ersetzt hat. Bei 0 bleiben alle.',
    },
    auditHelp: {
      en: 'After that nobody can tell any more who did what. At least 30 days.',
      de: 'Danach wird nicht mehr nachvollziehbar, wer was getan hat. Mindestens 30 Tage.',
    },
    searchLogHelp: {
      en: 'The basis of the insights. Clicks are recorded either way.',
      de: 'Grundlage der Auswertungen. Klicks werden in jedem Fall aufgezeichnet.',
    },
    queriesHelp: {
      en: 'Without this, searches are counted, but nobody can read what was searched for.',
      de: 'Sonst werden Suchen gezählt, aber niemand kann lesen, wonach gesucht wurde.',
    },
    logDaysHelp: { en: 'After that they are deleted.', de: 'Danach werden sie gelöscht.' },
    learningHelp: {
      en: 'Products that many people choose for a search move up.',
      de: 'Produkte, die viele nach einer Suche wählen, rücken nach vorn.',
    },
    trustedHelp: {
      en: 'Only if nobody but your own servers reports searches and clicks. Otherwise strangers could sway results.',
      de: 'Nur, wenn allein Ihre eigenen Server Suchen und Klicks melden. Sonst könnten Fremde die Ergebnisse verschieben.',
    },
  },
  security: {
    title: { en: 'Signing in', de: 'Anmeldung' },
    help: {
      en: 'A second factor is an authenticator app or a passkey besides the password.',
      de: 'Ein zweiter Faktor ist eine Authenticator-App oder ein Passkey zusätzlich zum Passwort.',
    },
    factors: {
      off: {
        name: { en: 'Nobody', de: 'Niemand' },
        help: { en: 'People may set one up for themselves.', de: 'Jede Person kann für sich selbst einen einrichten.' },
      },
      on: {
        name: { en: 'People who sign in with a password', de: 'Wer sich mit einem Passwort anmeldet' },
        help: {
          en: 'Who has none is asked to set one up at the next sign-in.',
          de: 'Wer noch keinen hat, richtet ihn bei der nächsten Anmeldung ein.',
        },
      },
      all: {
        name: { en: 'Everybody', de: 'Alle' },
        help: {
          en: 'Also people who sign in with the company account.',
          de: 'Auch wer sich mit dem Firmenkonto anmeldet.',
        },
      },
    },
    singleSignOn: { en: 'Single sign-on', de: 'Anmeldung mit Firmenkonto' },
  },
  embedding: {
    title: { en: 'Meaning', de: 'Bedeutung' },
    help: {
      en: 'The model that search compares meaning with. You may choose another under System.',
      de: 'Das Modell, mit dem die Suche Bedeutungen vergleicht. Unter „System“ können Sie ein anderes wählen.',
    },
    noModel: {
      en: 'None yet. It is chosen with the first entry.',
      de: 'Noch keines. Es wird mit dem ersten Eintrag gewählt.',
    },
    status: { en: 'See how far it is, and choose', de: 'Ansehen, wie weit es ist, und wählen' },
  },
})

export type SettingsWords = ReturnType<typeof useSettingsWords>
