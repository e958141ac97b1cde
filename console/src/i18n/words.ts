import type { Role, Scope } from '../../../src/platform/access/scopes.ts'
import type { SecurityWords } from './security/words.ts'

/** The scopes that set how far somebody sees. */
export type Ceiling = Extract<Scope, `visibility:${string}`>

/** Every text of the console. Each language is one object of this type, so the compiler finds missing texts. */
export interface Words {
  product: string
  skip: string
  loading: string
  language: string
  retry: string
  cancel: string
  close: string
  never: string
  nobody: string
  caution: string
  actions: string
  faults: {
    title: string
    unreachable: string
    forbidden: string
    gone: string
    tooMany: (seconds: number) => string
    unavailable: string
    refused: (reason: string) => string
    unexpected: string
  }
  notFound: { title: string; text: string; home: string }
  frame: {
    navigation: string
    settings: string
    apiKeys: string
    reference: string
    signedInAs: string
    signOut: string
  }
  roles: Record<Role, string>
  security: SecurityWords
  signIn: {
    title: string
    email: string
    password: string
    tenant: string
    tenantHelp: string
    submit: string
    busy: string
    or: string
    withProvider: (name: string) => string
    wrong: string
    tenantNeeded: string
    throttled: string
    waitFor: (time: string) => string
    mayTryAgain: string
    required: string
    notAnAddress: string
    providerFailed: string
    providerUnknownUser: string
    noMethod: string
  }
  apiKeys: {
    title: string
    intro: string
    issue: string
    table: string
    name: string
    permissions: string
    user: string
    created: string
    expires: string
    lastUsed: string
    state: string
    states: { active: string; expired: string; revoked: string }
    hint: (hint: string) => string
    onPages: (origins: readonly string[]) => string
    empty: string
    emptyHelp: string
    forbidden: string
    forbiddenHelp: string
    revoke: string
    revokeNamed: (name: string) => string
    revokeTitle: string
    revokeText: (name: string) => string
    revoked: (name: string) => string
    revokeIssued: (count: number) => string
    revokedWithIssued: (name: string, count: number) => string
    issuer: { person: (name: string) => string; key: (name: string) => string; cli: string }
  }
  issueKey: {
    title: string
    name: string
    nameHelp: string
    preset: string
    ownChoice: string
    permissions: string
    ceiling: string
    ceilings: Record<Ceiling, string>
    user: string
    userHelp: string
    noUser: string
    expiry: string
    expiries: { never: string; days30: string; days90: string; year: string; date: string }
    date: string
    submit: string
    busy: string
    nameNeeded: string
    permissionNeeded: string
    dateNeeded: string
    usersFailed: string
  }
  issuedKey: {
    title: string
    warning: string
    key: string
    copy: string
    copied: string
    copyFailed: string
    done: string
  }
  oauth: {
    title: string
    titleOwn: string
    intro: string
    introOwn: string
    grants: string
    grantsHelp: string
    connectTo: (address: string) => string
    application: string
    person: string
    noPerson: string
    permissions: string
    since: string
    until: string
    lastUsed: string
    noGrants: string
    noGrantsHelp: string
    disconnect: string
    disconnectNamed: (name: string) => string
    disconnectTitle: string
    disconnectText: (name: string) => string
    disconnected: (name: string) => string
    clients: string
    clientsHelp: string
    registration: string
    registrations: { key: string; open: string; document: string }
    redirects: string
    noRedirects: string
    noClients: string
    noClientsHelp: string
    remove: string
    removeNamed: (name: string) => string
    removeTitle: string
    removeText: (name: string) => string
    removed: (name: string) => string
  }
  consent: {
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
  permissions: Record<Scope, string>
  permissionGroups: {
    knowledge: string
    products: string
    search: string
    administration: string
  }
  permissionCount: (count: number) => string
}
