import type { EntryFields } from '../api/entry-fields.ts'
import type { EntryType } from '../api/entry-type.ts'
import type { Role, Scope } from '../../../src/platform/access/scopes.ts'
import type { SecurityWords } from './security/words.ts'

/** The scopes that set how far somebody sees. */
export type Ceiling = Extract<Scope, `visibility:${string}`>

/** Who sees an entry. */
type Visibility = 'public' | 'community' | 'internal' | 'workspace' | 'restricted' | 'personal'

/**
 * The texts that pages share. Each language is one object of this type, so the compiler finds missing texts. What one
 * page alone says is in the page's own folder.
 */
export interface Words {
  product: string
  skip: string
  loading: string
  nobodyFound: string
  language: string
  retry: string
  cancel: string
  close: string
  never: string
  nobody: string
  caution: string
  actions: string
  save: string
  saving: string
  saved: string
  edit: string
  writeMissing: string
  remove: string
  add: string
  back: string
  more: string
  optional: string
  /** A form with changes that are not saved. */
  unsaved: {
    region: string
    count: (count: number) => string
    discard: string
    /** Asks before a dialog closes with what was typed into it. */
    discardTitle: string
    discardText: string
    keepWriting: string
    leaveTitle: string
    leaveText: string
    leave: string
  }
  /** Somebody else was faster. */
  met: {
    title: string
    field: (name: string, theirs: string, mine: string) => string
    empty: string
    help: string
    take: string
    overwrite: string
  }
  faults: {
    title: string
    /** Says what to tell the operator, if the service named its answer. */
    quote: (requestId: string) => string
    offline: string
    signedOut: string
    changed: string
    full: string
    tooLarge: string
    fileGone: string
    reload: string
    unreachable: string
    /** Nothing came in time, in place of what was to be shown. */
    slowRead: string
    slowWrite: string
    forbidden: string
    gone: string
    tooMany: (seconds: number) => string
    unavailable: string
    /** The database was lost while it stored a change. */
    unsure: string
    refused: (reason: string) => string
    unexpected: string
  }
  notFound: { title: string; text: string; home: string }
  frame: {
    navigation: string
    openNavigation: string
    closeNavigation: string
    collapse: string
    expand: string
    reference: string
    search: string
    searchKeys: string
    account: string
    signedInAs: string
    unsaved: { title: string; text: (count: number) => string; erase: string }
    signOut: string
    scheme: string
    schemes: { system: string; light: string; dark: string }
  }
  signInAgain: {
    title: string
    text: string
    /** In place of the text, when another tab has signed somebody else in. */
    stranger: (theirs: string, own: string) => string
    goOnAs: (name: string) => string
    leave: string
    leaveHelp: string
    inOtherTab: string
    done: string
    doneHelp: string
  }
  /** Faults of fields by their type in the answer of the service. */
  fieldFaults: {
    summary: string
    missing: string
    tooShort: (least: number) => string
    tooLong: (most: number) => string
    tooFew: (least: number) => string
    tooMany: (most: number) => string
    atLeast: (least: number) => string
    atMost: (most: number) => string
    number: string
    address: string
    time: string
    choice: string
    language: string
    twice: string
    other: string
  }
  table: {
    rows: (first: string, last: string, total: string | null) => string
    sortBy: (column: string) => string
    selectRow: (row: string) => string
    selectAll: string
    selected: (count: string) => string
    clearSelection: string
    previous: string
    next: string
    pages: string
    loadingRows: string
  }
  filters: { title: string; remove: (filter: string) => string; clear: string; nothing: string; nothingHelp: string }
  tree: { move: (name: string) => string }
  tags: { add: string; remove: (tag: string) => string; help: string }
  files: {
    chooseFolder: string
    choose: string
    drop: string
    refused: (name: string) => string
    chosen: (count: string) => string
  }
  /** What an entry is made of. */
  entryFields: { differ: string; names: Record<keyof EntryFields, string> }
  diff: { none: string; hidden: (lines: string) => string }
  figure: { asTable: string; asChart: string; save: string }
  copy: { copy: string; copied: string; failed: string }
  toasts: { region: string; close: string }
  /** Where somebody is signed in. */
  sessions: {
    table: string
    device: string
    deviceOn: (browser: string, system: string) => string
    unknownDevice: string
    address: string
    unknownAddress: string
    since: string
    until: string
    current: string
  }
  /** What a new password has to be. */
  newPassword: { label: string; help: string; tooShort: (least: number, most: number) => string; show: string }
  ceiling: { label: string; levels: Record<Ceiling, string> }
  /** The levels of visibility, each with who sees it. */
  visibility: Record<Visibility, { name: string; who: string }>
  entryTypes: Record<EntryType, string>
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
    forgotten: string
    toSignIn: string
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
