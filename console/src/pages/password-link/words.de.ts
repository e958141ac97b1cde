import type { PasswordLinkWords } from './words.en.ts'

export const words: PasswordLinkWords = {
  title: 'Neues Passwort wählen',
  intro: (tenant) =>
    `Für Ihr Konto bei ${tenant}. Sie werden überall abgemeldet und melden sich mit dem neuen Passwort wieder an.`,
  email: 'E-Mail-Adresse',
  submit: 'Passwort speichern',
  done: 'Ihr neues Passwort ist gespeichert',
  doneHelp: 'Melden Sie sich jetzt damit an.',
  signIn: 'Anmelden',
  dead: 'Dieser Link gilt nicht mehr',
  deadHelp: 'Er wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen. Fordern Sie einen neuen an.',
  again: 'Neuen Link anfordern',
  forgotten: 'Passwort vergessen?',
  forgottenHelp: 'Geben Sie Ihre E-Mail-Adresse ein. Sie bekommen einen Link, unter dem Sie ein neues Passwort wählen.',
  ask: 'Link schicken',
  asking: 'Wird geschickt …',
  noMail: 'Dieser Dienst verschickt keine E-Mails',
  noMailHelp: 'Bitten Sie die Administration Ihrer Organisation um einen Link für ein neues Passwort.',
  asked: 'Sehen Sie in Ihre E-Mails',
  askedHelp: (email) =>
    `Wenn es ein Konto mit ${email} und einem Passwort gibt, ist ein Link unterwegs. Er gilt eine Stunde. Wenn nichts kommt, sehen Sie im Spam-Ordner nach oder fragen Sie Ihre Administration.`,
  otherAddress: 'Andere Adresse versuchen',
}
