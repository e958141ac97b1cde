import { pageWords } from '../../i18n/language.tsx'

export const useInvitationWords = pageWords({
  title: { en: 'You are invited', de: 'Sie sind eingeladen' },
  by: {
    en: (person: string, tenant: string) => `${person} invites you to work with the knowledge of ${tenant}.`,
    de: (person, tenant) => `${person} lädt Sie ein, mit dem Wissen von ${tenant} zu arbeiten.`,
  },
  byNobody: {
    en: (tenant: string) => `You are invited to work with the knowledge of ${tenant}.`,
    de: (tenant) => `Sie sind eingeladen, mit dem Wissen von ${tenant} zu arbeiten.`,
  },
  about: {
    en: (role: string, moment: string) => `Your role is ${role}. The invitation is open until ${moment}.`,
    de: (role, moment) => `Ihre Rolle ist ${role}. Die Einladung gilt bis ${moment}.`,
  },
  email: { en: 'Email address', de: 'E-Mail-Adresse' },
  emailHelp: { en: 'You sign in with this address.', de: 'Mit dieser Adresse melden Sie sich an.' },
  name: { en: 'Your name', de: 'Ihr Name' },
  nameHelp: { en: 'As others will see it.', de: 'So, wie andere ihn sehen.' },
  nameNeeded: { en: 'Please enter your name.', de: 'Bitte geben Sie Ihren Namen ein.' },
  password: { en: 'Password', de: 'Passwort' },
  accept: { en: 'Accept and sign in', de: 'Annehmen und anmelden' },
  accepting: { en: 'One moment …', de: 'Einen Moment …' },
  other: {
    en: (person: string) =>
      `You are signed in here as ${person}. Accepting signs you in as the invited person in this browser.`,
    de: (person) =>
      `Sie sind hier als ${person} angemeldet. Wenn Sie annehmen, sind Sie in diesem Browser als die eingeladene Person angemeldet.`,
  },
  dead: { en: 'This invitation does not work any more', de: 'Diese Einladung gilt nicht mehr' },
  deadHelp: {
    en: 'It was used already, withdrawn, sent again, or is over. Ask whoever invited you to send it once more.',
    de: 'Sie wurde schon benutzt, zurückgezogen, neu verschickt oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, sie noch einmal zu schicken.',
  },
  taken: {
    en: 'There is an account with this email address already. Sign in with it.',
    de: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an.',
  },
})
