import { table } from '../table.ts'

/** Texts about who is signed in, and what they may do. */
export const accessWords = table({
  /** The list of a person's sessions. */
  sessions: {
    table: { en: 'Sign-ins', de: 'Anmeldungen' },
    device: { en: 'Device', de: 'Gerät' },
    deviceOn: {
      en: (browser: string, system: string) => `${browser} on ${system}`,
      de: (browser, system) => `${browser} unter ${system}`,
    },
    unknownDevice: { en: 'Unknown device', de: 'Unbekanntes Gerät' },
    address: { en: 'Network address', de: 'Netzadresse' },
    unknownAddress: { en: 'Not recorded', de: 'Nicht festgehalten' },
    since: { en: 'Signed in', de: 'Angemeldet' },
    until: { en: 'Ends', de: 'Endet' },
    current: { en: 'This browser', de: 'Dieser Browser' },
  },
  /** The rules for a new password. */
  newPassword: {
    label: { en: 'New password', de: 'Neues Passwort' },
    help: {
      en: 'At least 12 characters. A few words that only you put together are easy to remember.',
      de: 'Mindestens 12 Zeichen. Ein paar Wörter, die nur Sie so zusammenstellen, merken sich leicht.',
    },
    tooShort: {
      en: (least: number, most: number) => `Choose a password of ${least} to ${most} characters.`,
      de: (least, most) => `Wählen Sie ein Passwort mit ${least} bis ${most} Zeichen.`,
    },
    common: {
      en: 'This is one of the most used passwords, which attackers try first. Choose another one.',
      de: 'Das ist eines der meistbenutzten Passwörter, die Angreifer zuerst versuchen. Wählen Sie ein anderes.',
    },
    strength: {
      short: {
        en: (missing: number) => (missing === 1 ? '1 more character' : `${missing} more characters`),
        de: (missing) => `Noch ${missing} Zeichen`,
      },
      enough: { en: 'Long enough, and not among the most used.', de: 'Lang genug und keines der meistbenutzten.' },
      long: { en: 'Good: long, and not among the most used.', de: 'Gut: lang und keines der meistbenutzten.' },
    },
    show: { en: 'Show password', de: 'Passwort anzeigen' },
  },
  ceiling: {
    label: { en: 'Sees entries up to', de: 'Sieht Einträge bis' },
    levels: {
      'visibility:public': { en: 'Public', de: 'Öffentlich' },
      'visibility:community': { en: 'Community', de: 'Community' },
      'visibility:internal': { en: 'Internal', de: 'Intern' },
      'visibility:workspace': { en: 'Workspace', de: 'Arbeitsbereich' },
      'visibility:restricted': { en: 'Restricted', de: 'Vertraulich' },
    },
  },
  roles: {
    reader: { en: 'Reader', de: 'Leser' },
    editor: { en: 'Editor', de: 'Redakteur' },
    admin: { en: 'Administrator', de: 'Administrator' },
  },
  permissions: {
    'knowledge:read': { en: 'Read and search entries', de: 'Einträge lesen und durchsuchen' },
    'knowledge:write': { en: 'Create and change entries', de: 'Einträge anlegen und ändern' },
    'knowledge:prompts': {
      en: 'Offer skills to others as prompts of their assistants',
      de: 'Anderen Skills als Prompts ihrer Assistenten anbieten',
    },
    'knowledge:delete': { en: 'Delete entries', de: 'Einträge löschen' },
    'knowledge:personal': { en: 'See and edit personal notes', de: 'Persönliche Notizen sehen und bearbeiten' },
    'categories:write': { en: 'Create, change and delete categories', de: 'Kategorien anlegen, ändern und löschen' },
    'products:read': { en: 'Read and search products', de: 'Produkte lesen und durchsuchen' },
    'products:write': { en: 'Create, change and delete products', de: 'Produkte anlegen, ändern und löschen' },
    'sites:read': { en: 'Read sites', de: 'Sites lesen' },
    'sites:write': { en: 'Create, change and delete sites', de: 'Sites anlegen, ändern und löschen' },
    'search:log': { en: 'Record searches and clicks', de: 'Suchen und Klicks aufzeichnen' },
    'analytics:read': { en: 'Read search analytics', de: 'Suchauswertungen lesen' },
    'clients:register': { en: 'Register applications', de: 'Anwendungen registrieren' },
    'tenant:admin': {
      en: 'Administer the organisation: users, keys, settings',
      de: 'Die Organisation verwalten: Benutzer, Schlüssel, Einstellungen',
    },
    'visibility:public': { en: 'See public entries', de: 'Öffentliche Einträge sehen' },
    'visibility:community': { en: 'See community entries', de: 'Community-Einträge sehen' },
    'visibility:internal': { en: 'See internal entries', de: 'Interne Einträge sehen' },
    'visibility:workspace': { en: 'See workspace entries', de: 'Einträge in Arbeitsbereichen sehen' },
    'visibility:restricted': {
      en: 'See everything, including restricted entries',
      de: 'Alles sehen, auch vertrauliche Einträge',
    },
  },
  permissionGroups: {
    knowledge: { en: 'Knowledge', de: 'Wissen' },
    products: { en: 'Products and sites', de: 'Produkte und Sites' },
    search: { en: 'Search and analytics', de: 'Suche und Auswertung' },
    administration: { en: 'Administration', de: 'Verwaltung' },
  },
  permissionCount: {
    en: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),
    de: (count) => (count === 1 ? '1 Recht' : `${count} Rechte`),
  },
})
