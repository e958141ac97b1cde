/** Texts about second factors: the second step of a sign-in, and the page Security. */
export interface SecurityWords {
  intro: string
  setUpTitle: string
  setUpIntro: string
  setUpDone: string
  goOn: string
  signOut: string
  step: {
    title: string
    code: string
    codeHelp: string
    recoveryCode: string
    recoveryHelp: string
    passkeyHelp: string
    submit: string
    usePasskey: string
    useCode: string
    useRecoveryCode: string
    back: string
    wrongCode: string
    wrongRecoveryCode: string
    wrongPasskey: string
    over: string
    signInWithPasskey: string
    unknownPasskey: string
    cancelled: string
    resetTitle: string
    resetText: (day: string) => string
  }
  app: {
    title: string
    help: string
    none: string
    since: (day: string) => string
    add: string
    replace: string
    remove: string
    removeTitle: string
    removeText: string
    removed: string
    added: string
    scan: string
    picture: string
    secret: string
    code: string
    codeHelp: string
    confirm: string
    wrong: string
    begunAnew: string
  }
  passkeys: {
    title: string
    help: string
    none: string
    unsupported: string
    name: string
    nameHelp: string
    nameNeeded: string
    created: string
    lastUsed: string
    add: string
    addTitle: string
    create: string
    rename: string
    renameNamed: (name: string) => string
    renameTitle: string
    save: string
    remove: string
    removeNamed: (name: string) => string
    removeTitle: string
    removeText: (name: string) => string
    removed: (name: string) => string
    added: (name: string) => string
    renamed: (name: string) => string
    refused: string
    known: string
  }
  codes: {
    title: string
    help: string
    left: (count: number) => string
    few: string
    renew: string
    renewText: string
    shownTitle: string
    warning: string
    list: string
    copyFailed: string
    done: string
  }
  proof: {
    title: string
    text: string
    password: string
    code: string
    recoveryCode: string
    confirm: string
    byPasskey: string
    wrong: string
    nothing: string
  }
  required: string
}
