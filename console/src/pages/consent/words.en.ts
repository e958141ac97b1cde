export interface ConsentWords {
  title: (client: string) => string
  signInFirst: (client: string) => string
  signInAgain: (client: string) => string
  signedOut: string
  stale: string
  lead: (client: string) => string
  saysDocument: (host: string) => string
  saysKey: string
  saysOpen: string
  who: string
  returns: string
  returnsTo: Record<'site' | 'machine' | 'app', (name: string) => string>
  account: string
  organisation: string
  access: string
  warnLoopback: string
  warnApp: string
  warnOpen: string
  warnGoOn: string
  scopes: string
  scopesHelp: string
  cautionHelp: string
  allow: string
  deny: string
  busy: string
  chooseOne: string
  continueAs: (person: string) => string
  otherAccount: string
  leaving: string
  leavingHelp: string
  over: string
  overHelp: string
  otherTenant: string
  otherTenantHelp: string
  registrationClosed: string
  registrationClosedHelp: string
  nothingToGrant: string
  nothingToGrantHelp: string
  back: string
}

export const words: ConsentWords = {
  title: (client) => `Allow “${client}”?`,
  signInFirst: (client) => `“${client}” wants to access your organisation’s knowledge. Sign in to decide.`,
  signInAgain: (client) => `“${client}” asks that you sign in again.`,
  signedOut: 'Your session has expired. Sign in again to continue.',
  stale: 'Somebody else has signed in here in the meantime. Start again from the application.',
  lead: (client) => `“${client}” wants to access your organisation’s knowledge in your name.`,
  saysDocument: (host) => `Described by ${host}`,
  saysKey: 'Registered by your organisation',
  saysOpen: 'Registered itself',
  who: 'Application',
  returns: 'Returns to',
  returnsTo: {
    site: (host) => host,
    machine: (host) => `${host} (this computer)`,
    app: (scheme) => `the app on this device that opens “${scheme}:” addresses`,
  },
  account: 'Signed in',
  organisation: 'Organisation',
  access: 'Access to',
  warnLoopback: 'The answer goes to a program on this computer. Any program here could claim this name.',
  warnApp: 'The answer goes to an app on this device. Any app here could have claimed these addresses.',
  warnOpen: 'The application registered itself; nobody in your organisation has checked it.',
  warnGoOn: 'Continue only if you know the application and have just started the connection yourself.',
  scopes: 'The application may',
  scopesHelp: 'Untick what the application does not need.',
  cautionHelp: 'Tick what is marked “Caution” only if you want to allow it.',
  allow: 'Allow',
  deny: 'Deny',
  busy: 'One moment …',
  chooseOne: 'Choose at least one permission, or deny.',
  continueAs: (person) => `Continue as ${person}`,
  otherAccount: 'Use another account',
  leaving: 'You are being taken back to the application.',
  leavingHelp: 'If nothing happens, the application already has its answer, and you can close this page.',
  over: 'This request is no longer valid',
  overHelp:
    'The request has expired, has already been answered, or was started in another browser. Start again from the application.',
  otherTenant: 'This application belongs to another organisation than the one you are signed in to.',
  otherTenantHelp: 'To continue, sign in with an account of the application’s organisation.',
  registrationClosed: 'Your organisation does not let applications connect in this way.',
  registrationClosedHelp:
    'Ask an administrator to register the application, or to let assistants connect, in the console under Connect.',
  nothingToGrant: 'Your role has none of the permissions that this application asks for.',
  nothingToGrantHelp: 'Ask an administrator if you need them.',
  back: 'Back to the application',
}
