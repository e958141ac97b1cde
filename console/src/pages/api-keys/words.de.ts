import type { ApiKeysWords } from './words.en.ts'

export const words: ApiKeysWords = {
  apiKeys: {
    title: 'API-Schlüssel',
    intro:
      'Programme greifen mit einem API-Schlüssel auf den Dienst zu. Ein Schlüssel hat die Rechte, die ihm gegeben wurden, aber nie mehr als sein Benutzer.',
    issue: 'Schlüssel ausstellen',
    table: 'API-Schlüssel',
    name: 'Name',
    permissions: 'Rechte',
    user: 'Benutzer',
    created: 'Ausgestellt',
    expires: 'Läuft ab',
    lastUsed: 'Zuletzt benutzt',
    state: 'Status',
    states: { active: 'Gültig', expired: 'Abgelaufen', revoked: 'Ungültig' },
    hint: (hint) => `beginnt mit ${hint}`,
    onPages: (origins) => `auf Seiten von ${origins.join(', ')}`,
    empty: 'Es gibt noch keinen API-Schlüssel.',
    emptyHelp: 'Stellen Sie einen aus, um ein Programm anzubinden.',
    forbidden: 'Nur Administratoren können API-Schlüssel verwalten.',
    forbiddenHelp: 'Wenden Sie sich an die Administration Ihrer Organisation, wenn Sie einen Schlüssel brauchen.',
    revoke: 'Widerrufen',
    revokeNamed: (name) => `${name} widerrufen`,
    revokeTitle: 'Diesen Schlüssel widerrufen?',
    revokeText: (name) =>
      `Programme, die „${name}“ benutzen, verlieren sofort den Zugriff. Das lässt sich nicht rückgängig machen.`,
    revoked: (name) => `„${name}“ ist widerrufen.`,
    revokeIssued: (count) =>
      count === 1
        ? 'Auch den 1 Schlüssel widerrufen, der mit ihm ausgestellt wurde'
        : `Auch die ${count} Schlüssel widerrufen, die mit ihm ausgestellt wurden`,
    revokedWithIssued: (name, count) =>
      `„${name}“ und die damit ausgestellten Schlüssel: ${count === 1 ? '1 Schlüssel ist' : `${count} Schlüssel sind`} widerrufen.`,
    issuer: {
      person: (name) => `von ${name}`,
      key: (name) => `mit dem Schlüssel „${name}“`,
      cli: 'über die Kommandozeile',
    },
  },
  issueKey: {
    title: 'API-Schlüssel ausstellen',
    kind: 'Für',
    kinds: {
      secret: { name: 'Programme', help: 'Der Schlüssel bleibt geheim.' },
      publishable: { name: 'Webseiten', help: 'Alle können ihn lesen; er durchsucht nur Öffentliches.' },
    },
    name: 'Name',
    nameHelp: 'Wofür der Schlüssel gedacht ist, zum Beispiel „Import der Website“.',
    preset: 'Rolle',
    ownChoice: 'Eigene Auswahl',
    permissions: 'Rechte',
    user: 'Benutzer',
    userHelp: 'Der Schlüssel handelt im Namen dieser Person und hat nie mehr Rechte als ihre Rolle.',
    noUser: 'Kein Benutzer',
    expiry: 'Läuft ab',
    expiries: {
      never: 'Nie',
      days30: 'Nach 30 Tagen',
      days90: 'Nach 90 Tagen',
      year: 'Nach einem Jahr',
      date: 'An einem Datum',
    },
    date: 'Letzter Tag',
    submit: 'Schlüssel ausstellen',
    busy: 'Wird ausgestellt …',
    nameNeeded: 'Bitte geben Sie dem Schlüssel einen Namen.',
    permissionNeeded: 'Bitte wählen Sie mindestens ein Recht.',
    dateNeeded: 'Bitte wählen Sie ein Datum in der Zukunft.',
  },
  publishKey: {
    nameHelp: 'Wofür der Schlüssel gedacht ist, zum Beispiel „Suche auf der Website“.',
    origins: 'Adressen der Seiten',
    originsHelp:
      'Zum Beispiel https://www.example.com. Drücken Sie nach jeder die Eingabetaste. Andere Seiten können den Schlüssel nicht benutzen.',
    originNeeded: 'Geben Sie mindestens eine Adresse ein, zum Beispiel https://www.example.com.',
    sections: 'Durchsucht',
    sectionNames: {
      knowledge: { name: 'Wissen', help: 'Öffentliche Einträge' },
      products: { name: 'Produkte', help: 'Was die Sites verkaufen' },
    },
    sectionNeeded: 'Wählen Sie mindestens einen Bereich.',
    sites: 'Nur auf diesen Sites',
    sitesHelp: 'Ohne Auswahl: auf allen Sites.',
  },
  issuedKey: {
    title: 'Ihr neuer Schlüssel',
    warning: 'Kopieren Sie den Schlüssel jetzt und bewahren Sie ihn sicher auf. Er wird nur dieses eine Mal angezeigt.',
    key: 'API-Schlüssel',
    done: 'Ich habe ihn gespeichert',
  },
}
