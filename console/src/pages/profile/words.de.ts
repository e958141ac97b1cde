import type { ProfileWords } from './words.en.ts'

export const words: ProfileWords = {
  title: 'Ihr Konto',
  parts: { profile: 'Profil', security: 'Sicherheit', sessions: 'Anmeldungen' },
  profile: {
    name: 'Name',
    nameHelp: 'So, wie andere ihn neben Ihren Texten sehen.',
    nameNeeded: 'Bitte geben Sie Ihren Namen ein.',
    email: 'E-Mail-Adresse',
    emailHelp: 'Mit ihr melden Sie sich an. Sie lässt sich hier nicht ändern.',
    role: 'Rolle',
    language: 'Sprache',
    languageHelp: 'Für diese Seiten in jedem Browser, in dem Sie keine andere gewählt haben, und für E-Mails an Sie.',
    asBrowser: 'Wie der Browser',
  },
  secondFactor: 'Zweiter Faktor',
  password: {
    title: 'Passwort',
    has: 'Sie melden sich mit E-Mail-Adresse und Passwort an.',
    none: 'Sie haben kein Passwort, weil Sie sich auf anderem Weg anmelden. Die Administration kann Ihnen einen Link geben, um eines zu wählen.',
    change: 'Passwort ändern',
    old: 'Bisheriges Passwort',
    oldNeeded: 'Bitte geben Sie Ihr bisheriges Passwort ein.',
    new: 'Neues Passwort',
    text: 'Hier bleiben Sie angemeldet. Überall sonst melden Sie sich neu an.',
    wrong: 'Falsches Passwort',
    meanwhile: 'Das Passwort wurde inzwischen geändert. Schließen Sie das Fenster und versuchen Sie es erneut.',
    changed: 'Ihr neues Passwort ist gespeichert. Überall sonst sind Sie abgemeldet.',
  },
  sessions: {
    intro:
      'Die Browser, in denen Sie angemeldet sind. Wenn Sie einen nicht kennen, melden Sie ihn ab und ändern Sie Ihr Passwort.',
    end: 'Abmelden',
    endNamed: (time) => `Abmelden: Anmeldung von ${time}`,
    ended: 'Dieser Browser ist abgemeldet.',
    everywhere: 'Überall abmelden',
    everywhereTitle: 'Überall abmelden?',
    everywhereText:
      'Sie werden in jedem Browser abgemeldet, auch in diesem. Ihre API-Schlüssel und verbundenen Anwendungen gelten weiter.',
  },
}
