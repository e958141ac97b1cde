import { pageWords } from '../../i18n/language.tsx'

export const usePasswordLinkWords = pageWords({
  title: { en: 'Choose a new password', de: 'Neues Passwort wählen' },
  intro: {
    en: (tenant: string) => `For your account at ${tenant}. You are signed out everywhere and sign in with it anew.`,
    de: (tenant) =>
      `Für Ihr Konto bei ${tenant}. Sie werden überall abgemeldet und melden sich mit dem neuen Passwort wieder an.`,
  },
  email: { en: 'Email address', de: 'E-Mail-Adresse' },
  submit: { en: 'Save password', de: 'Passwort speichern' },
  done: { en: 'Your new password is saved', de: 'Ihr neues Passwort ist gespeichert' },
  doneHelp: { en: 'Sign in with it now.', de: 'Melden Sie sich jetzt damit an.' },
  signIn: { en: 'Sign in', de: 'Anmelden' },
  dead: { en: 'This link does not work any more', de: 'Dieser Link gilt nicht mehr' },
  deadHelp: {
    en: 'It was used already, replaced by a newer one, or is over. Ask for a new link.',
    de: 'Er wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen. Fordern Sie einen neuen an.',
  },
  again: { en: 'Ask for a new link', de: 'Neuen Link anfordern' },
  forgotten: { en: 'Forgot your password?', de: 'Passwort vergessen?' },
  forgottenHelp: {
    en: 'Enter your email address. We mail you a link by which you choose a new password.',
    de: 'Geben Sie Ihre E-Mail-Adresse ein. Sie bekommen einen Link, unter dem Sie ein neues Passwort wählen.',
  },
  ask: { en: 'Send link', de: 'Link schicken' },
  asking: { en: 'Sending …', de: 'Wird geschickt …' },
  noMail: { en: 'This service sends no mail', de: 'Dieser Dienst verschickt keine E-Mails' },
  noMailHelp: {
    en: 'Ask an administrator of your organisation for a link by which you choose a new password.',
    de: 'Bitten Sie die Administration Ihrer Organisation um einen Link für ein neues Passwort.',
  },
  asked: { en: 'Look into your mail', de: 'Sehen Sie in Ihre E-Mails' },
  askedHelp: {
    en: (email: string) =>
      `If there is an account with ${email} that has a password, a link is on its way. It works for one hour. If nothing comes, look into the folder for spam, or ask your administrator.`,
    de: (email) =>
      `Wenn es ein Konto mit ${email} und einem Passwort gibt, ist ein Link unterwegs. Er gilt eine Stunde. Wenn nichts kommt, sehen Sie im Spam-Ordner nach oder fragen Sie Ihre Administration.`,
  },
  otherAddress: { en: 'Try another address', de: 'Andere Adresse versuchen' },
})
