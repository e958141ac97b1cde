import { pageWords } from '../../i18n/language.tsx'

export const useApiKeysWords = pageWords({
  apiKeys: {
    title: { en: 'API keys', de: 'API-Schlüssel' },
    intro: {
      en: 'Programs use an API key to access the service. A key has the permissions it was given, but never more than its user.',
      de: 'Programme greifen mit einem API-Schlüssel auf den Dienst zu. Ein Schlüssel hat die Rechte, die ihm gegeben wurden, aber nie mehr als sein Benutzer.',
    },
    issue: { en: 'Issue key', de: 'Schlüssel ausstellen' },
    table: { en: 'API keys', de: 'API-Schlüssel' },
    name: { en: 'Name', de: 'Name' },
    permissions: { en: 'Permissions', de: 'Rechte' },
    user: { en: 'User', de: 'Benutzer' },
    created: { en: 'Created', de: 'Ausgestellt' },
    expires: { en: 'Expires', de: 'Läuft ab' },
    lastUsed: { en: 'Last used', de: 'Zuletzt benutzt' },
    state: { en: 'Status', de: 'Status' },
    states: {
      active: { en: 'Active', de: 'Gültig' },
      expired: { en: 'Expired', de: 'Abgelaufen' },
      revoked: { en: 'Revoked', de: 'Ungültig' },
    },
    hint: { en: (hint: string) => `begins with ${hint}`, de: (hint) => `beginnt mit ${hint}` },
    onPages: {
      en: (origins: readonly string[]) => `on pages of ${origins.join(', ')}`,
      de: (origins) => `auf Seiten von ${origins.join(', ')}`,
    },
    empty: { en: 'There is no API key yet.', de: 'Es gibt noch keinen API-Schlüssel.' },
    emptyHelp: { en: 'Issue one to connect a program.', de: 'Stellen Sie einen aus, um ein Programm anzubinden.' },
    forbidden: {
      en: 'Only administrators can manage API keys.',
      de: 'Nur Administratoren können API-Schlüssel verwalten.',
    },
    forbiddenHelp: {
      en: 'Ask an administrator of your organisation if you need a key.',
      de: 'Wenden Sie sich an die Administration Ihrer Organisation, wenn Sie einen Schlüssel brauchen.',
    },
    revoke: { en: 'Revoke', de: 'Widerrufen' },
    revokeNamed: { en: (name: string) => `Revoke ${name}`, de: (name) => `${name} widerrufen` },
    revokeTitle: { en: 'Revoke this key?', de: 'Diesen Schlüssel widerrufen?' },
    revokeText: {
      en: (name: string) => `Programs that use “${name}” lose access immediately. This cannot be undone.`,
      de: (name) =>
        `Programme, die „${name}“ benutzen, verlieren sofort den Zugriff. Das lässt sich nicht rückgängig machen.`,
    },
    revoked: { en: (name: string) => `“${name}” is revoked.`, de: (name) => `„${name}“ ist widerrufen.` },
    revokeIssued: {
      en: (count: number) =>
        count === 1 ? 'Also revoke the 1 key issued with it' : `Also revoke the ${count} keys issued with it`,
      de: (count) =>
        count === 1
          ? 'Auch den 1 Schlüssel widerrufen, der mit ihm ausgestellt wurde'
          : `Auch die ${count} Schlüssel widerrufen, die mit ihm ausgestellt wurden`,
    },
    revokedWithIssued: {
      en: (name: string, count: number) =>
        `“${name}” and the keys issued with it: ${count === 1 ? '1 key is' : `${count} keys are`} revoked.`,
      de: (name, count) =>
        `„${name}“ und die damit ausgestellten Schlüssel: ${count === 1 ? '1 Schlüssel ist' : `${count} Schlüssel sind`} widerrufen.`,
    },
    issuer: {
      person: { en: (name: string) => `by ${name}`, de: (name) => `von ${name}` },
      key: { en: (name: string) => `by the key “${name}”`, de: (name) => `mit dem Schlüssel „${name}“` },
      cli: { en: 'from the command line', de: 'über die Kommandozeile' },
    },
  },
  issueKey: {
    title: { en: 'Issue an API key', de: 'API-Schlüssel ausstellen' },
    kind: { en: 'For', de: 'Für' },
    kinds: {
      secret: {
        name: { en: 'Programs', de: 'Programme' },
        help: { en: 'The key stays secret.', de: 'Der Schlüssel bleibt geheim.' },
      },
      publishable: {
        name: { en: 'Web pages', de: 'Webseiten' },
        help: {
          en: 'Everybody can read it; it searches only what is public.',
          de: 'Alle können ihn lesen; er durchsucht nur Öffentliches.',
        },
      },
    },
    name: { en: 'Name', de: 'Name' },
    nameHelp: {
      en: 'What the key is for, such as “Website import”.',
      de: 'Wofür der Schlüssel gedacht ist, zum Beispiel „Import der Website“.',
    },
    preset: { en: 'Role', de: 'Rolle' },
    ownChoice: { en: 'Custom', de: 'Eigene Auswahl' },
    permissions: { en: 'Permissions', de: 'Rechte' },
    user: { en: 'User', de: 'Benutzer' },
    userHelp: {
      en: 'The key acts as this person and never has more permissions than the person’s role.',
      de: 'Der Schlüssel handelt im Namen dieser Person und hat nie mehr Rechte als ihre Rolle.',
    },
    noUser: { en: 'No user', de: 'Kein Benutzer' },
    expiry: { en: 'Expires', de: 'Läuft ab' },
    expiries: {
      never: { en: 'Never', de: 'Nie' },
      days30: { en: 'After 30 days', de: 'Nach 30 Tagen' },
      days90: { en: 'After 90 days', de: 'Nach 90 Tagen' },
      year: { en: 'After one year', de: 'Nach einem Jahr' },
      date: { en: 'On a date', de: 'An einem Datum' },
    },
    date: { en: 'Last day', de: 'Letzter Tag' },
    submit: { en: 'Issue key', de: 'Schlüssel ausstellen' },
    busy: { en: 'Issuing …', de: 'Wird ausgestellt …' },
    nameNeeded: { en: 'Please give the key a name.', de: 'Bitte geben Sie dem Schlüssel einen Namen.' },
    permissionNeeded: { en: 'Please choose at least one permission.', de: 'Bitte wählen Sie mindestens ein Recht.' },
    proof: {
      en: 'You are issuing a key that may do everything an administrator may, for as long as it is valid.',
      de: 'Sie stellen einen Schlüssel mit allen Administrationsrechten aus. Er hat sie, solange er gilt.',
    },
    dateNeeded: { en: 'Please choose a date in the future.', de: 'Bitte wählen Sie ein Datum in der Zukunft.' },
  },
  publishKey: {
    nameHelp: {
      en: 'What the key is for, such as “Search on the website”.',
      de: 'Wofür der Schlüssel gedacht ist, zum Beispiel „Suche auf der Website“.',
    },
    origins: { en: 'Addresses of the pages', de: 'Adressen der Seiten' },
    originsHelp: {
      en: 'Such as https://www.example.com. Press Enter after each one. Other pages cannot use the key.',
      de: 'Zum Beispiel https://www.example.com. Drücken Sie nach jeder die Eingabetaste. Andere Seiten können den Schlüssel nicht benutzen.',
    },
    originNeeded: {
      en: 'Enter at least one address, like https://www.example.com.',
      de: 'Geben Sie mindestens eine Adresse ein, zum Beispiel https://www.example.com.',
    },
    sections: { en: 'Searches', de: 'Durchsucht' },
    sectionNames: {
      knowledge: {
        name: { en: 'Knowledge', de: 'Wissen' },
        help: { en: 'Public entries', de: 'Öffentliche Einträge' },
      },
      products: {
        name: { en: 'Products', de: 'Produkte' },
        help: { en: 'What the sites sell', de: 'Was die Sites verkaufen' },
      },
    },
    sectionNeeded: { en: 'Choose at least one.', de: 'Wählen Sie mindestens einen Bereich.' },
    sites: { en: 'Only on these sites', de: 'Nur auf diesen Sites' },
    sitesHelp: { en: 'Without a choice: on all sites.', de: 'Ohne Auswahl: auf allen Sites.' },
  },
  issuedKey: {
    title: { en: 'Your new key', de: 'Ihr neuer Schlüssel' },
    warning: {
      en: 'Copy the key now and keep it in a safe place. It is shown only once.',
      de: 'Kopieren Sie den Schlüssel jetzt und bewahren Sie ihn sicher auf. Er wird nur dieses eine Mal angezeigt.',
    },
    key: { en: 'API key', de: 'API-Schlüssel' },
    done: { en: 'I’ve saved it', de: 'Ich habe ihn gespeichert' },
  },
})
