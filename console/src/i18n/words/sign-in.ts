import { table } from '../table.ts'

/** Texts of the sign-in. */
export const signInWords = table({
  title: { en: 'Sign in', de: 'Anmelden' },
  email: { en: 'Email address', de: 'E-Mail-Adresse' },
  password: { en: 'Password', de: 'Passwort' },
  tenant: { en: 'Organisation', de: 'Organisation' },
  tenantHelp: {
    en: 'Your email address is registered with several organisations. Enter the short name of the one you mean, such as “default”. Your administrator knows it: it is the id that the command “knowledge tenant list” shows.',
    de: 'Ihre E-Mail-Adresse ist bei mehreren Organisationen registriert. Geben Sie den Kurznamen der gewünschten Organisation ein, zum Beispiel „default“. Ihre Administration kennt ihn: Es ist die ID, die der Befehl „knowledge tenant list“ anzeigt.',
  },
  submit: { en: 'Sign in', de: 'Anmelden' },
  busy: { en: 'Signing in …', de: 'Anmeldung läuft …' },
  or: { en: 'or', de: 'oder' },
  withProvider: { en: (name: string) => `Continue with ${name}`, de: (name) => `Weiter mit ${name}` },
  wrong: {
    en: 'Wrong email address or password, or your account may not sign in here.',
    de: 'E-Mail-Adresse oder Passwort ist falsch, oder Ihr Konto ist hier nicht zugelassen.',
  },
  tenantNeeded: {
    en: 'Which organisation? Please enter it below.',
    de: 'Welche Organisation? Bitte geben Sie sie unten ein.',
  },
  throttled: { en: 'Too many attempts.', de: 'Zu viele Versuche.' },
  waitFor: {
    en: (time: string) => `You can try again in ${time}.`,
    de: (time) => `In ${time} können Sie es erneut versuchen.`,
  },
  mayTryAgain: { en: 'You can try again now.', de: 'Sie können es jetzt erneut versuchen.' },
  required: { en: 'Please fill in this field.', de: 'Bitte füllen Sie dieses Feld aus.' },
  notAnAddress: {
    en: 'Please enter a full email address, like name@example.com.',
    de: 'Bitte geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
  },
  providerFailed: {
    en: 'The external sign-in failed. Try again, or sign in with your password.',
    de: 'Die externe Anmeldung hat nicht funktioniert. Versuchen Sie es erneut oder melden Sie sich mit Passwort an.',
  },
  providerUnknownUser: {
    en: 'The external sign-in worked, but there is no account here for your email address. Ask your administrator.',
    de: 'Die externe Anmeldung hat funktioniert, aber für Ihre E-Mail-Adresse gibt es hier kein Konto. Fragen Sie Ihre Administration.',
  },
  linkProofNeeded: {
    en: 'There is an account here with your email address. Sign in to it once with its password or a passkey below. From then on your company account will do.',
    de: 'Hier gibt es ein Konto mit Ihrer E-Mail-Adresse. Melden Sie sich unten einmal mit dessen Passwort oder einem Passkey an. Danach genügt Ihr Firmenkonto.',
  },
  tooManyTries: {
    en: 'There were too many sign-ins from your network. Wait a moment, then try again.',
    de: 'Aus Ihrem Netz gab es zu viele Anmeldungen. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  },
  forgotten: { en: 'Forgot your password?', de: 'Passwort vergessen?' },
  toSignIn: { en: 'Go to the sign-in page', de: 'Zur Anmeldeseite' },
  noMethod: {
    en: 'Sign-in is not available at the moment. Ask the operator of this service.',
    de: 'Die Anmeldung ist zurzeit nicht möglich. Fragen Sie den Betreiber dieses Dienstes.',
  },
})
