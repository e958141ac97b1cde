import { pageWords } from '../../i18n/language.tsx'

export const useProfileWords = pageWords({
  title: { en: 'Your account', de: 'Ihr Konto' },
  parts: {
    profile: { en: 'Profile', de: 'Profil' },
    security: { en: 'Security', de: 'Sicherheit' },
    sessions: { en: 'Sign-ins', de: 'Anmeldungen' },
  },
  profile: {
    name: { en: 'Name', de: 'Name' },
    nameHelp: { en: 'As others see it, beside what you write.', de: 'So, wie andere ihn neben Ihren Texten sehen.' },
    nameNeeded: { en: 'Please enter your name.', de: 'Bitte geben Sie Ihren Namen ein.' },
    email: { en: 'Email address', de: 'E-Mail-Adresse' },
    emailHelp: {
      en: 'You sign in with it. It cannot be changed here.',
      de: 'Mit ihr melden Sie sich an. Sie lässt sich hier nicht ändern.',
    },
    role: { en: 'Role', de: 'Rolle' },
    language: { en: 'Language', de: 'Sprache' },
    languageHelp: {
      en: 'Of these pages, in every browser in which you chose no other, and of mail to you.',
      de: 'Für diese Seiten in jedem Browser, in dem Sie keine andere gewählt haben, und für E-Mails an Sie.',
    },
    asBrowser: { en: 'As the browser', de: 'Wie der Browser' },
  },
  secondFactor: { en: 'Second factor', de: 'Zweiter Faktor' },
  password: {
    title: { en: 'Password', de: 'Passwort' },
    has: {
      en: 'You sign in with your email address and a password.',
      de: 'Sie melden sich mit E-Mail-Adresse und Passwort an.',
    },
    none: {
      en: 'You have no password, because you sign in another way. An administrator can give you a link to choose one.',
      de: 'Sie haben kein Passwort, weil Sie sich auf anderem Weg anmelden. Die Administration kann Ihnen einen Link geben, um eines zu wählen.',
    },
    change: { en: 'Change password', de: 'Passwort ändern' },
    old: { en: 'Present password', de: 'Bisheriges Passwort' },
    oldNeeded: { en: 'Please enter your present password.', de: 'Bitte geben Sie Ihr bisheriges Passwort ein.' },
    new: { en: 'New password', de: 'Neues Passwort' },
    text: {
      en: 'You stay signed in here. Everywhere else you sign in anew.',
      de: 'Hier bleiben Sie angemeldet. Überall sonst melden Sie sich neu an.',
    },
    wrong: { en: 'Wrong password', de: 'Falsches Passwort' },
    meanwhile: {
      en: 'The password was changed meanwhile. Close this and try again.',
      de: 'Das Passwort wurde inzwischen geändert. Schließen Sie das Fenster und versuchen Sie es erneut.',
    },
    changed: {
      en: 'Your new password is saved. You are signed out everywhere else.',
      de: 'Ihr neues Passwort ist gespeichert. Überall sonst sind Sie abgemeldet.',
    },
  },
  sessions: {
    intro: {
      en: 'The browsers in which you are signed in. If you do not know one, sign it out and change your password.',
      de: 'Die Browser, in denen Sie angemeldet sind. Wenn Sie einen nicht kennen, melden Sie ihn ab und ändern Sie Ihr Passwort.',
    },
    end: { en: 'Sign out', de: 'Abmelden' },
    endNamed: { en: (time: string) => `Sign out: sign-in of ${time}`, de: (time) => `Abmelden: Anmeldung von ${time}` },
    ended: { en: 'That browser is signed out.', de: 'Dieser Browser ist abgemeldet.' },
    everywhere: { en: 'Sign out everywhere', de: 'Überall abmelden' },
    everywhereTitle: { en: 'Sign out everywhere?', de: 'Überall abmelden?' },
    everywhereText: {
      en: 'You are signed out in every browser, this one too. Your API keys and connected applications go on.',
      de: 'Sie werden in jedem Browser abgemeldet, auch in diesem. Ihre API-Schlüssel und verbundenen Anwendungen gelten weiter.',
    },
  },
})
