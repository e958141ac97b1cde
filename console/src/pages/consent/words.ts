import { pageWords } from '../../i18n/language.tsx'

export const useConsentWords = pageWords({
  title: { en: (client: string) => `Allow “${client}”?`, de: (client) => `„${client}“ Zugriff erlauben?` },
  signInFirst: {
    en: (client: string) => `“${client}” wants to access your organisation’s knowledge. Sign in to decide.`,
    de: (client) =>
      `„${client}“ möchte auf das Wissen Ihrer Organisation zugreifen. Melden Sie sich an, um zu entscheiden.`,
  },
  signInAgain: {
    en: (client: string) => `“${client}” asks that you sign in again.`,
    de: (client) => `„${client}“ bittet Sie, sich neu anzumelden.`,
  },
  signedOut: {
    en: 'Your session has expired. Sign in again to continue.',
    de: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an, um fortzufahren.',
  },
  stale: {
    en: 'Somebody else has signed in here in the meantime. Start again from the application.',
    de: 'Inzwischen hat sich hier jemand anderes angemeldet. Beginnen Sie in der Anwendung von vorn.',
  },
  lead: {
    en: (client: string) => `“${client}” wants to access your organisation’s knowledge in your name.`,
    de: (client) => `„${client}“ möchte in Ihrem Namen auf das Wissen Ihrer Organisation zugreifen.`,
  },
  saysDocument: { en: (host: string) => `Described by ${host}`, de: (host) => `Beschrieben von ${host}` },
  saysKey: { en: 'Registered by your organisation', de: 'Von Ihrer Organisation registriert' },
  saysOpen: { en: 'Registered itself', de: 'Hat sich selbst registriert' },
  who: { en: 'Application', de: 'Anwendung' },
  returns: { en: 'Returns to', de: 'Rückkehr zu' },
  returnsTo: {
    site: { en: (host: string) => host, de: (host) => host },
    machine: { en: (host: string) => `${host} (this computer)`, de: (host) => `${host} (dieser Rechner)` },
    app: {
      en: (scheme: string) => `the app on this device that opens “${scheme}:” addresses`,
      de: (scheme) => `der App auf diesem Gerät, die Adressen mit „${scheme}:“ öffnet`,
    },
  },
  account: { en: 'Signed in', de: 'Angemeldet' },
  organisation: { en: 'Organisation', de: 'Organisation' },
  access: { en: 'Access to', de: 'Zugriff auf' },
  warnLoopback: {
    en: 'The answer goes to a program on this computer. Any program here could claim this name.',
    de: 'Die Antwort geht an ein Programm auf diesem Rechner. Jedes Programm hier könnte sich so nennen.',
  },
  warnApp: {
    en: 'The answer goes to an app on this device. Any app here could have claimed these addresses.',
    de: 'Die Antwort geht an eine App auf diesem Gerät. Jede App hier könnte diese Adressen für sich beansprucht haben.',
  },
  warnOpen: {
    en: 'The application registered itself; nobody in your organisation has checked it.',
    de: 'Die Anwendung hat sich selbst registriert; niemand in Ihrer Organisation hat sie geprüft.',
  },
  warnGoOn: {
    en: 'Continue only if you know the application and have just started the connection yourself.',
    de: 'Fahren Sie nur fort, wenn Sie die Anwendung kennen und die Verbindung gerade selbst begonnen haben.',
  },
  scopes: { en: 'The application may', de: 'Die Anwendung darf' },
  scopesHelp: {
    en: 'Untick what the application does not need.',
    de: 'Entfernen Sie die Häkchen bei Rechten, die die Anwendung nicht braucht.',
  },
  cautionHelp: {
    en: 'Tick what is marked “Caution” only if you want to allow it.',
    de: 'Kreuzen Sie Rechte mit dem Hinweis „Vorsicht“ nur an, wenn Sie sie erlauben möchten.',
  },
  allow: { en: 'Allow', de: 'Erlauben' },
  deny: { en: 'Deny', de: 'Ablehnen' },
  busy: { en: 'One moment …', de: 'Einen Moment …' },
  chooseOne: {
    en: 'Choose at least one permission, or deny.',
    de: 'Wählen Sie mindestens ein Recht, oder lehnen Sie ab.',
  },
  continueAs: { en: (person: string) => `Continue as ${person}`, de: (person) => `Weiter als ${person}` },
  otherAccount: { en: 'Use another account', de: 'Anderes Konto verwenden' },
  leaving: { en: 'You are being taken back to the application.', de: 'Sie werden zur Anwendung zurückgeleitet.' },
  leavingHelp: {
    en: 'If nothing happens, the application already has its answer, and you can close this page.',
    de: 'Wenn nichts passiert, hat die Anwendung ihre Antwort bereits, und Sie können diese Seite schließen.',
  },
  over: { en: 'This request is no longer valid', de: 'Diese Anfrage ist nicht mehr gültig' },
  overHelp: {
    en: 'The request has expired, has already been answered, or was started in another browser. Start again from the application.',
    de: 'Die Anfrage ist abgelaufen, wurde bereits beantwortet oder in einem anderen Browser begonnen. Beginnen Sie in der Anwendung von vorn.',
  },
  otherTenant: {
    en: 'This application belongs to another organisation than the one you are signed in to.',
    de: 'Diese Anwendung gehört zu einer anderen Organisation als der, bei der Sie angemeldet sind.',
  },
  otherTenantHelp: {
    en: 'To continue, sign in with an account of the application’s organisation.',
    de: 'Melden Sie sich mit einem Konto an, das zur Organisation der Anwendung gehört.',
  },
  registrationClosed: {
    en: 'Your organisation does not let applications connect in this way.',
    de: 'Ihre Organisation lässt auf diesem Weg keine Anwendungen zu.',
  },
  registrationClosedHelp: {
    en: 'Ask an administrator to register the application, or to let assistants connect, in the console under Connect.',
    de: 'Bitten Sie die Administration, die Anwendung zu registrieren oder Assistenten zu erlauben, sich zu verbinden, in der Konsole unter „Verbinden“.',
  },
  nothingToGrant: {
    en: 'Your role has none of the permissions that this application asks for.',
    de: 'Ihre Rolle hat keines der Rechte, um die diese Anwendung bittet.',
  },
  nothingToGrantHelp: {
    en: 'Ask an administrator if you need them.',
    de: 'Wenden Sie sich an die Administration, wenn Sie diese Rechte brauchen.',
  },
  back: { en: 'Back to the application', de: 'Zurück zur Anwendung' },
})

export type ConsentWords = ReturnType<typeof useConsentWords>
