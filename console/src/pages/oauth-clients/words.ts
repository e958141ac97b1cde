import { pageWords } from '../../i18n/language.tsx'

export const useOauthWords = pageWords({
  title: { en: 'OAuth clients', de: 'OAuth-Clients' },
  titleOwn: { en: 'Connected applications', de: 'Verbundene Anwendungen' },
  intro: {
    en: 'Assistants and other applications that people of your organisation have connected.',
    de: 'Assistenten und andere Anwendungen, die Personen Ihrer Organisation verbunden haben.',
  },
  introOwn: {
    en: 'Assistants and other applications that you have connected.',
    de: 'Assistenten und andere Anwendungen, die Sie verbunden haben.',
  },
  grants: { en: 'Connections', de: 'Verbindungen' },
  grantsHelp: { en: 'Who allowed which application to do what.', de: 'Wer welcher Anwendung was erlaubt hat.' },
  connectTo: {
    en: (address: string) => `Assistants connect to ${address}`,
    de: (address) => `Assistenten verbinden sich mit ${address}`,
  },
  application: { en: 'Application', de: 'Anwendung' },
  person: { en: 'Person', de: 'Person' },
  noPerson: { en: 'No person (application itself)', de: 'Keine Person (Anwendung selbst)' },
  permissions: { en: 'Permissions', de: 'Rechte' },
  since: { en: 'Since', de: 'Seit' },
  until: { en: 'Until', de: 'Bis' },
  lastUsed: { en: 'Last used', de: 'Zuletzt benutzt' },
  noGrants: { en: 'No application is connected.', de: 'Es ist keine Anwendung verbunden.' },
  noGrantsHelp: {
    en: 'When somebody allows an assistant to connect, the assistant appears here.',
    de: 'Wenn jemand einem Assistenten den Zugriff erlaubt, erscheint der Assistent hier.',
  },
  disconnect: { en: 'Disconnect', de: 'Trennen' },
  disconnectNamed: { en: (name: string) => `Disconnect ${name}`, de: (name) => `${name} trennen` },
  disconnectTitle: { en: 'Disconnect this application?', de: 'Diese Anwendung trennen?' },
  disconnectText: {
    en: (name: string) => `“${name}” loses access immediately and has to ask for permission again.`,
    de: (name) => `„${name}“ verliert sofort den Zugriff und muss erneut um Erlaubnis bitten.`,
  },
  disconnected: { en: (name: string) => `“${name}” is disconnected.`, de: (name) => `„${name}“ ist getrennt.` },
  clients: { en: 'Registered applications', de: 'Registrierte Anwendungen' },
  clientsHelp: {
    en: 'Applications that may ask people for access.',
    de: 'Anwendungen, die Personen um Zugriff bitten dürfen.',
  },
  registration: { en: 'Registration', de: 'Registrierung' },
  registrations: {
    key: { en: 'With an API key', de: 'Mit API-Schlüssel' },
    open: { en: 'By the application itself', de: 'Durch die Anwendung selbst' },
    document: { en: 'By a client document', de: 'Über ein Client-Dokument' },
  },
  redirects: { en: 'Returns to', de: 'Rückkehr zu' },
  noRedirects: { en: 'No address', de: 'Keine Adresse' },
  noClients: { en: 'No application is registered.', de: 'Es ist keine Anwendung registriert.' },
  noClientsHelp: {
    en: 'Registering takes an API key with the permission “Register applications”. Assistants register themselves if you let them, under Connect.',
    de: 'Zum Registrieren braucht man einen API-Schlüssel mit dem Recht „Anwendungen registrieren“. Assistenten registrieren sich selbst, wenn Sie es unter „Verbinden“ erlauben.',
  },
  remove: { en: 'Remove', de: 'Entfernen' },
  removeNamed: { en: (name: string) => `Remove ${name}`, de: (name) => `${name} entfernen` },
  removeTitle: { en: 'Remove this application?', de: 'Diese Anwendung entfernen?' },
  removeText: {
    en: (name: string) => `“${name}” is removed and loses all of its connections immediately. This cannot be undone.`,
    de: (name) =>
      `„${name}“ wird entfernt und verliert sofort alle Verbindungen. Das lässt sich nicht rückgängig machen.`,
  },
  removed: { en: (name: string) => `“${name}” is removed.`, de: (name) => `„${name}“ ist entfernt.` },
})
