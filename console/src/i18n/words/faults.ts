import { table } from '../table.ts'

/** Texts of errors, in words for people. */
export const faultWords = table({
  faults: {
    title: { en: 'This content could not be loaded', de: 'Der Inhalt kann nicht angezeigt werden' },
    /** Says which number to tell the operator, if the service named its answer. */
    quote: {
      en: (requestId: string) => `If it happens again, quote this number: ${requestId}`,
      de: (requestId) => `Wenn es wieder passiert, nennen Sie diese Nummer: ${requestId}`,
    },
    offline: {
      en: 'You are offline. What you see and what you typed is kept. Try again once you are connected.',
      de: 'Sie sind offline. Was Sie sehen und was Sie eingegeben haben, bleibt erhalten. Versuchen Sie es erneut, sobald Sie verbunden sind.',
    },
    signedOut: {
      en: 'Your session has ended. Sign in again.',
      de: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an.',
    },
    changed: {
      en: 'Somebody changed this since you opened it.',
      de: 'Jemand hat das geändert, seit Sie es geöffnet haben.',
    },
    tooLarge: {
      en: 'This is larger than the service takes. Nothing was changed. Make it shorter, then try again.',
      de: 'Das ist größer, als der Dienst annimmt. Es wurde nichts geändert. Kürzen Sie es und versuchen Sie es erneut.',
    },
    fileGone: {
      en: 'A part of this page cannot be loaded; perhaps the service has a new version. Save what you typed, then load the page again.',
      de: 'Ein Teil dieser Seite kann nicht geladen werden; vielleicht hat der Dienst eine neue Version. Speichern Sie Ihre Eingaben und laden Sie die Seite dann neu.',
    },
    reload: { en: 'Load the page again', de: 'Seite neu laden' },
    full: {
      en: 'The service has no room left to store this. Nothing was changed. Tell the operator.',
      de: 'Der Dienst hat keinen Platz mehr, um das zu speichern. Es wurde nichts geändert. Sagen Sie dem Betreiber Bescheid.',
    },
    unreachable: {
      en: 'The service cannot be reached. What you typed is kept. Check the connection and try again.',
      de: 'Der Dienst ist nicht erreichbar. Ihre Eingaben bleiben erhalten. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    },
    /** No answer came in time. Shown in place of the content. */
    slowRead: {
      en: 'The service has not answered in time. Check the connection and try again.',
      de: 'Der Dienst hat nicht rechtzeitig geantwortet. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    },
    slowWrite: {
      en: 'The service has not answered in time. It may have saved this all the same. What you typed is kept. Check the connection, see whether it is there, and try again.',
      de: 'Der Dienst hat nicht rechtzeitig geantwortet. Vielleicht hat er es trotzdem gespeichert. Ihre Eingaben bleiben erhalten. Prüfen Sie die Verbindung, sehen Sie nach, ob es da ist, und versuchen Sie es erneut.',
    },
    forbidden: { en: 'Your role does not allow this.', de: 'Ihre Rolle erlaubt das nicht.' },
    unproved: {
      en: 'Nothing was changed, because you did not confirm that it is you. Try again, and enter your password or use a second factor.',
      de: 'Es wurde nichts geändert, weil Sie nicht bestätigt haben, dass Sie es sind. Versuchen Sie es erneut, mit Ihrem Passwort oder einem zweiten Faktor.',
    },
    gone: {
      en: 'This has been deleted, possibly by somebody else.',
      de: 'Das wurde inzwischen gelöscht, möglicherweise von jemand anderem.',
    },
    tooMany: {
      en: (seconds: number) => `Too many requests. Try again in ${seconds} s.`,
      de: (seconds) => `Zu viele Anfragen. Versuchen Sie es in ${seconds} s erneut.`,
    },
    unavailable: {
      en: 'The service cannot answer right now. What you typed is kept. Try again in a moment.',
      de: 'Der Dienst kann gerade nicht antworten. Ihre Eingaben bleiben erhalten. Versuchen Sie es gleich noch einmal.',
    },
    /** The database was lost while it stored a change. */
    unsure: {
      en: 'The database was lost while it saved this. It may be saved all the same. What you typed is kept. See whether it is there, and try again.',
      de: 'Die Datenbank ging verloren, während sie das speicherte. Vielleicht ist es trotzdem gespeichert. Ihre Eingaben bleiben erhalten. Sehen Sie nach, ob es da ist, und versuchen Sie es erneut.',
    },
    refused: {
      en: (reason: string) => `The service refused the request: ${reason}`,
      de: (reason) => `Der Dienst hat die Anfrage abgelehnt: ${reason}`,
    },
    unexpected: {
      en: 'An unexpected error occurred. What you typed is kept. Try again.',
      de: 'Es ist ein unerwarteter Fehler aufgetreten. Ihre Eingaben bleiben erhalten. Versuchen Sie es erneut.',
    },
  },
  /** Faults of fields by their type in the answer of the service. */
  fieldFaults: {
    summary: { en: 'Please check what you entered:', de: 'Bitte prüfen Sie Ihre Eingaben:' },
    missing: { en: 'Please fill in this field.', de: 'Bitte füllen Sie dieses Feld aus.' },
    tooShort: {
      en: (least: number) => (least <= 1 ? 'Please fill in this field.' : `Enter at least ${least} characters.`),
      de: (least) => (least <= 1 ? 'Bitte füllen Sie dieses Feld aus.' : `Geben Sie mindestens ${least} Zeichen ein.`),
    },
    tooLong: {
      en: (most: number) => `Enter at most ${most} characters.`,
      de: (most) => `Geben Sie höchstens ${most} Zeichen ein.`,
    },
    tooFew: {
      en: (least: number) => (least === 1 ? 'Choose at least one.' : `Choose at least ${least}.`),
      de: (least) => (least === 1 ? 'Wählen Sie mindestens einen Wert.' : `Wählen Sie mindestens ${least} Werte.`),
    },
    tooMany: { en: (most: number) => `At most ${most} are possible.`, de: (most) => `Höchstens ${most} sind möglich.` },
    atLeast: { en: (least: number) => `Enter ${least} or more.`, de: (least) => `Geben Sie ${least} oder mehr ein.` },
    atMost: { en: (most: number) => `Enter ${most} or less.`, de: (most) => `Geben Sie ${most} oder weniger ein.` },
    number: { en: 'Enter a number.', de: 'Geben Sie eine Zahl ein.' },
    address: {
      en: 'Enter a full address, like https://example.com.',
      de: 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com.',
    },
    time: { en: 'Enter a date and time.', de: 'Geben Sie Datum und Uhrzeit ein.' },
    choice: { en: 'Choose one of the values.', de: 'Wählen Sie einen der Werte.' },
    language: { en: 'Enter a language such as de or en.', de: 'Geben Sie eine Sprache ein, zum Beispiel de oder en.' },
    twice: { en: 'Each may be there only once.', de: 'Jeder Wert darf nur einmal vorkommen.' },
    other: { en: 'This value is not possible here.', de: 'Dieser Wert ist hier nicht möglich.' },
  },
})
