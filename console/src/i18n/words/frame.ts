import { table } from '../table.ts'

/** Texts of the frame around the pages. */
export const frameWords = table({
  notFound: {
    title: { en: 'Page not found', de: 'Seite nicht gefunden' },
    text: { en: 'There is no page at this address.', de: 'Unter dieser Adresse gibt es keine Seite.' },
    home: { en: 'Go to the start page', de: 'Zur Startseite' },
  },
  frame: {
    navigation: { en: 'Main navigation', de: 'Hauptnavigation' },
    openNavigation: { en: 'Open navigation', de: 'Navigation öffnen' },
    closeNavigation: { en: 'Close navigation', de: 'Navigation schließen' },
    collapse: { en: 'Collapse navigation', de: 'Navigation einklappen' },
    expand: { en: 'Expand navigation', de: 'Navigation ausklappen' },
    reference: { en: 'API reference', de: 'API-Referenz' },
    search: { en: 'Search', de: 'Suchen' },
    searchKeys: { en: 'Ctrl K', de: 'Strg K' },
    account: { en: 'Your account', de: 'Ihr Konto' },
    signedInAs: { en: 'Signed in as', de: 'Angemeldet als' },
    unsaved: {
      title: { en: 'Sign out and erase what is not saved?', de: 'Abmelden und Ungespeichertes löschen?' },
      text: {
        en: (count: number) =>
          count === 1
            ? 'One text on this device is not saved. Signing out erases it.'
            : `${count} texts on this device are not saved. Signing out erases them.`,
        de: (count) =>
          count === 1
            ? 'Ein Text auf diesem Gerät ist nicht gespeichert. Beim Abmelden wird er gelöscht.'
            : `${count} Texte auf diesem Gerät sind nicht gespeichert. Beim Abmelden werden sie gelöscht.`,
      },
      erase: { en: 'Erase and sign out', de: 'Löschen und abmelden' },
    },
    signOut: { en: 'Sign out', de: 'Abmelden' },
    scheme: { en: 'Appearance', de: 'Darstellung' },
    schemes: {
      system: { en: 'As the system', de: 'Wie das System' },
      light: { en: 'Light', de: 'Hell' },
      dark: { en: 'Dark', de: 'Dunkel' },
    },
  },
  signInAgain: {
    title: { en: 'Sign in again', de: 'Neu anmelden' },
    text: {
      en: 'Your session has ended. Nothing you typed is lost: sign in, and you go on where you were.',
      de: 'Ihre Anmeldung ist abgelaufen. Ihre Eingaben bleiben erhalten: Melden Sie sich an, und Sie machen dort weiter, wo Sie waren.',
    },
    /** In place of the text, when another person has signed in in another tab. */
    stranger: {
      en: (theirs: string, own: string) =>
        `${theirs} is signed in in this browser now. What you typed is still here, and nothing of it is sent as ${theirs}. To go on, sign in as ${own}.`,
      de: (theirs, own) =>
        `In diesem Browser ist jetzt ${theirs} angemeldet. Ihre Eingaben sind noch hier, und nichts davon wird als ${theirs} gesendet. Um weiterzumachen, melden Sie sich als ${own} an.`,
    },
    goOnAs: { en: (name: string) => `Go on as ${name}`, de: (name) => `Als ${name} weitermachen` },
    leave: { en: 'Go to the sign-in page', de: 'Zur Anmeldeseite' },
    leaveHelp: {
      en: 'What you typed and did not save is lost then.',
      de: 'Nicht gespeicherte Eingaben gehen dann verloren.',
    },
    inOtherTab: {
      en: 'The sign-in opens in a new tab. Come back here afterwards.',
      de: 'Die Anmeldung öffnet sich in einem neuen Tab. Kommen Sie danach hierher zurück.',
    },
    done: { en: 'You are signed in', de: 'Sie sind angemeldet' },
    doneHelp: {
      en: 'You can close this tab and go on in the other one.',
      de: 'Sie können diesen Tab schließen und im anderen weiterarbeiten.',
    },
  },
})
