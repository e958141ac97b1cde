import { table } from '../table.ts'

/** Texts about second factors: the second step of a sign-in, and the page Security. */
export const securityWords = table({
  intro: {
    en: 'With a second factor, a password that somebody else knows is not enough to sign in as you.',
    de: 'Mit einem zweiten Faktor genügt ein Passwort, das jemand anderes kennt, nicht, um sich als Sie anzumelden.',
  },
  setUpTitle: { en: 'Set up a second factor', de: 'Zweiten Faktor einrichten' },
  setUpIntro: {
    en: 'Your organisation requires a second factor. Set one up to go on.',
    de: 'Ihre Organisation verlangt einen zweiten Faktor. Richten Sie einen ein, um fortzufahren.',
  },
  goOn: { en: 'Continue', de: 'Weiter' },
  signOut: { en: 'Sign out', de: 'Abmelden' },
  step: {
    title: { en: 'Confirm it is you', de: 'Bestätigen Sie, dass Sie es sind' },
    code: { en: 'Code', de: 'Code' },
    codeHelp: { en: 'The six digits in your authenticator app.', de: 'Die sechs Ziffern in Ihrer Authenticator-App.' },
    recoveryCode: { en: 'Recovery code', de: 'Wiederherstellungscode' },
    recoveryHelp: {
      en: 'One of the codes that you kept. Each works once.',
      de: 'Einer der Codes, die Sie aufbewahrt haben. Jeder gilt einmal.',
    },
    passkeyHelp: { en: 'Your browser asks for your passkey.', de: 'Ihr Browser fragt nach Ihrem Passkey.' },
    submit: { en: 'Sign in', de: 'Anmelden' },
    usePasskey: { en: 'Use a passkey', de: 'Passkey verwenden' },
    useCode: { en: 'Use a code from the app', de: 'Code aus der App verwenden' },
    useRecoveryCode: { en: 'Use a recovery code', de: 'Wiederherstellungscode verwenden' },
    back: { en: 'Start again', de: 'Von vorn beginnen' },
    wrongCode: {
      en: 'Wrong code. Wait for the next one and try again.',
      de: 'Der Code ist falsch. Warten Sie auf den nächsten und versuchen Sie es erneut.',
    },
    wrongRecoveryCode: {
      en: 'Wrong recovery code, or it was used already.',
      de: 'Der Wiederherstellungscode ist falsch oder schon benutzt.',
    },
    wrongPasskey: {
      en: 'The passkey was not accepted. Try again, or use another way.',
      de: 'Der Passkey wurde nicht angenommen. Versuchen Sie es erneut oder auf einem anderen Weg.',
    },
    over: {
      en: 'That took too long, or there were too many tries. Please sign in again.',
      de: 'Das hat zu lange gedauert, oder es waren zu viele Versuche. Bitte melden Sie sich erneut an.',
    },
    signInWithPasskey: { en: 'Sign in with a passkey', de: 'Mit Passkey anmelden' },
    unknownPasskey: {
      en: 'This passkey is not known here. Sign in another way.',
      de: 'Dieser Passkey ist hier nicht bekannt. Melden Sie sich auf einem anderen Weg an.',
    },
    cancelled: {
      en: 'The browser did not get a passkey. Try again, or use another way.',
      de: 'Der Browser hat keinen Passkey bekommen. Versuchen Sie es erneut oder auf einem anderen Weg.',
    },
    resetTitle: { en: 'Your second factors were reset', de: 'Ihre zweiten Faktoren wurden zurückgesetzt' },
    resetText: {
      en: (day: string) =>
        `An administrator removed your authenticator app, passkeys and recovery codes on ${day}. If you did not ask for that, tell them. You can set up a new second factor in your account, under Security.`,
      de: (day) =>
        `Ein Administrator hat am ${day} Ihre Authenticator-App, Passkeys und Wiederherstellungscodes entfernt. Wenn Sie das nicht gewünscht haben, sagen Sie Ihrer Administration Bescheid. In Ihrem Konto können Sie unter Sicherheit einen neuen zweiten Faktor einrichten.`,
    },
  },
  app: {
    title: { en: 'Authenticator app', de: 'Authenticator-App' },
    help: {
      en: 'An app on your phone shows a new code every 30 seconds.',
      de: 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.',
    },
    none: { en: 'No app is set up.', de: 'Es ist keine App eingerichtet.' },
    since: { en: (day: string) => `Set up on ${day}`, de: (day) => `Eingerichtet am ${day}` },
    add: { en: 'Set up app', de: 'App einrichten' },
    replace: { en: 'Replace app', de: 'App ersetzen' },
    remove: { en: 'Remove app', de: 'App entfernen' },
    removeTitle: { en: 'Remove the authenticator app?', de: 'Authenticator-App entfernen?' },
    removeText: { en: 'Its codes no longer work.', de: 'Ihre Codes gelten dann nicht mehr.' },
    removed: { en: 'The authenticator app was removed.', de: 'Die Authenticator-App ist entfernt.' },
    added: { en: 'The authenticator app is set up.', de: 'Die Authenticator-App ist eingerichtet.' },
    scan: {
      en: 'Scan this picture with the app, or type the key into it.',
      de: 'Scannen Sie dieses Bild mit der App, oder geben Sie den Schlüssel dort ein.',
    },
    picture: { en: 'QR code for the authenticator app', de: 'QR-Code für die Authenticator-App' },
    secret: { en: 'Key', de: 'Schlüssel' },
    code: { en: 'Code', de: 'Code' },
    codeHelp: { en: 'The six digits that the app shows now.', de: 'Die sechs Ziffern, die die App jetzt zeigt.' },
    confirm: { en: 'Confirm', de: 'Bestätigen' },
    wrong: {
      en: 'Wrong code. Check that the clock of your phone is right, and try the next code.',
      de: 'Der Code ist falsch. Prüfen Sie die Uhr Ihres Telefons und versuchen Sie den nächsten Code.',
    },
    begunAnew: {
      en: 'This set-up is over. Close it and begin again.',
      de: 'Diese Einrichtung ist abgelaufen. Schließen Sie sie und beginnen Sie von vorn.',
    },
  },
  passkeys: {
    title: { en: 'Passkeys', de: 'Passkeys' },
    help: {
      en: 'A key in your phone, computer or security key. A passkey also signs you in without a password.',
      de: 'Ein Schlüssel in Ihrem Telefon, Rechner oder Sicherheitsschlüssel. Ein Passkey meldet Sie auch ohne Passwort an.',
    },
    none: { en: 'You have no passkey.', de: 'Sie haben keinen Passkey.' },
    unsupported: {
      en: 'This browser knows no passkeys on this address.',
      de: 'Dieser Browser kennt unter dieser Adresse keine Passkeys.',
    },
    name: { en: 'Name', de: 'Name' },
    nameHelp: {
      en: 'To tell it from others, such as “Phone”.',
      de: 'Um ihn von anderen zu unterscheiden, zum Beispiel „Telefon“.',
    },
    nameNeeded: { en: 'Please name the passkey.', de: 'Bitte geben Sie dem Passkey einen Namen.' },
    created: { en: 'Made', de: 'Angelegt' },
    lastUsed: { en: 'Last used', de: 'Zuletzt benutzt' },
    add: { en: 'Add passkey', de: 'Passkey hinzufügen' },
    addTitle: { en: 'Add a passkey', de: 'Passkey hinzufügen' },
    create: { en: 'Create passkey', de: 'Passkey anlegen' },
    rename: { en: 'Rename', de: 'Umbenennen' },
    renameNamed: { en: (name: string) => `Rename ${name}`, de: (name) => `${name} umbenennen` },
    renameTitle: { en: 'Rename the passkey', de: 'Passkey umbenennen' },
    save: { en: 'Save', de: 'Speichern' },
    remove: { en: 'Remove', de: 'Entfernen' },
    removeNamed: { en: (name: string) => `Remove ${name}`, de: (name) => `${name} entfernen` },
    removeTitle: { en: 'Remove this passkey?', de: 'Diesen Passkey entfernen?' },
    removeText: {
      en: (name: string) => `“${name}” no longer signs you in. Your device may still offer it; delete it there too.`,
      de: (name) =>
        `„${name}“ meldet Sie dann nicht mehr an. Ihr Gerät bietet ihn vielleicht noch an; löschen Sie ihn auch dort.`,
    },
    removed: { en: (name: string) => `“${name}” was removed.`, de: (name) => `„${name}“ ist entfernt.` },
    added: { en: (name: string) => `“${name}” was added.`, de: (name) => `„${name}“ ist hinzugefügt.` },
    renamed: {
      en: (name: string) => `The passkey is called “${name}” now.`,
      de: (name) => `Der Passkey heißt jetzt „${name}“.`,
    },
    refused: {
      en: 'The browser made no passkey. Try again.',
      de: 'Der Browser hat keinen Passkey angelegt. Versuchen Sie es erneut.',
    },
    known: { en: 'This device has a passkey for you already.', de: 'Dieses Gerät hat schon einen Passkey für Sie.' },
  },
  codes: {
    title: { en: 'Recovery codes', de: 'Wiederherstellungscodes' },
    help: {
      en: 'For the day when your phone or key is lost. Each works once.',
      de: 'Für den Tag, an dem Telefon oder Schlüssel verloren ist. Jeder gilt einmal.',
    },
    left: {
      en: (count: number) => (count === 1 ? '1 code is left.' : `${count} codes are left.`),
      de: (count) => (count === 1 ? 'Es ist noch 1 Code übrig.' : `Es sind noch ${count} Codes übrig.`),
    },
    few: { en: 'Make new ones before they run out.', de: 'Machen Sie neue, bevor sie ausgehen.' },
    renew: { en: 'Make new codes', de: 'Neue Codes machen' },
    renewText: {
      en: 'You get ten new codes. Those that you have no longer work.',
      de: 'Sie bekommen zehn neue Codes. Die bisherigen gelten dann nicht mehr.',
    },
    shownTitle: { en: 'Your recovery codes', de: 'Ihre Wiederherstellungscodes' },
    warning: {
      en: 'Print these codes or keep them in a safe place, away from your phone. They are shown only this once.',
      de: 'Drucken Sie diese Codes oder bewahren Sie sie sicher auf, getrennt von Ihrem Telefon. Sie werden nur dieses eine Mal angezeigt.',
    },
    list: { en: 'Recovery codes', de: 'Wiederherstellungscodes' },
    copyFailed: {
      en: 'Copying did not work. Select the codes and copy them by hand.',
      de: 'Das Kopieren hat nicht funktioniert. Markieren Sie die Codes und kopieren Sie sie von Hand.',
    },
    done: { en: 'I have kept them', de: 'Ich habe sie aufbewahrt' },
  },
  proof: {
    title: { en: 'Confirm it is you', de: 'Bestätigen Sie, dass Sie es sind' },
    text: { en: 'Enter one of these to go on.', de: 'Geben Sie eines davon ein, um fortzufahren.' },
    acts: {
      administrator: {
        en: 'You are making this person an administrator. They may then manage people, keys and settings.',
        de: 'Sie geben dieser Person Administrationsrechte. Sie darf danach Personen, Schlüssel und Einstellungen verwalten.',
      },
      wider: {
        en: 'You are giving an administrator more rights. They may then see more entries than before.',
        de: 'Sie erweitern die Rechte einer Person, die Administrationsrechte hat. Sie darf danach mehr Einträge sehen als bisher.',
      },
      enabled: {
        en: 'You are giving an administrator access again. They may then manage people, keys and settings.',
        de: 'Sie entsperren eine Person mit Administrationsrechten. Sie darf danach wieder Personen, Schlüssel und Einstellungen verwalten.',
      },
      invited: {
        en: (name: string) =>
          `You are inviting ${name} as an administrator. Whoever accepts may manage people, keys and settings.`,
        de: (name) =>
          `Sie laden ${name} mit Administrationsrechten ein. Wer die Einladung annimmt, darf Personen, Schlüssel und Einstellungen verwalten.`,
      },
      invitedAgain: {
        en: 'You are inviting an administrator again. Whoever accepts may manage people, keys and settings.',
        de: 'Sie senden eine Einladung mit Administrationsrechten erneut. Wer sie annimmt, darf Personen, Schlüssel und Einstellungen verwalten.',
      },
      password: {
        en: (name: string) =>
          `You are making a link for ${name}. Whoever has it can set a new password for this account.`,
        de: (name) =>
          `Sie erstellen einen Link für ${name}. Wer ihn hat, kann für dieses Konto ein neues Passwort festlegen.`,
      },
      factors: {
        en: (name: string) =>
          `You are removing all second factors of ${name}. Until new ones are set up, this account is protected without them.`,
        de: (name) =>
          `Sie entfernen alle zweiten Faktoren von ${name}. Bis neue eingerichtet sind, ist das Konto ohne sie geschützt.`,
      },
      rules: {
        en: 'You are changing who gets in with the company account, and what these people may do.',
        de: 'Sie ändern, wer mit dem Firmenkonto Zugang bekommt und was diese Personen dürfen.',
      },
      fewerFactors: {
        en: 'You are asking fewer people for a second factor. Some may then sign in without one.',
        de: 'Sie verlangen den zweiten Faktor von weniger Personen. Manche können sich danach ohne ihn anmelden.',
      },
      application: {
        en: (name: string) => `${name} may then administer your organisation in your name: people, keys and settings.`,
        de: (name) =>
          `${name} darf danach Ihre Organisation in Ihrem Namen verwalten: Personen, Schlüssel und Einstellungen.`,
      },
    },
    adding: {
      en: 'You are adding a second factor, with which you will confirm who you are from now on.',
      de: 'Sie fügen einen zweiten Faktor hinzu. Mit ihm bestätigen Sie künftig, wer Sie sind.',
    },
    password: { en: 'Password', de: 'Passwort' },
    code: { en: 'Code of the app', de: 'Code der App' },
    recoveryCode: { en: 'Recovery code', de: 'Wiederherstellungscode' },
    confirm: { en: 'Confirm', de: 'Bestätigen' },
    byPasskey: { en: 'Confirm with a passkey', de: 'Mit Passkey bestätigen' },
    wrongPassword: { en: 'The password is wrong.', de: 'Das Passwort ist falsch.' },
    nothing: {
      en: 'To change this, sign out, sign in again, and do it within ten minutes.',
      de: 'Um das zu ändern, melden Sie sich ab und wieder an, und tun Sie es innerhalb von zehn Minuten.',
    },
  },
  required: {
    en: 'Your organisation requires a second factor, so the last one stays.',
    de: 'Ihre Organisation verlangt einen zweiten Faktor, deshalb bleibt der letzte.',
  },
})
