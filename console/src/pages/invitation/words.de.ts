import type { InvitationWords } from './words.en.ts'

export const words: InvitationWords = {
  title: 'Sie sind eingeladen',
  by: (person, tenant) => `${person} lädt Sie ein, mit dem Wissen von ${tenant} zu arbeiten.`,
  byNobody: (tenant) => `Sie sind eingeladen, mit dem Wissen von ${tenant} zu arbeiten.`,
  about: (role, moment) => `Ihre Rolle ist ${role}. Die Einladung gilt bis ${moment}.`,
  email: 'E-Mail-Adresse',
  emailHelp: 'Mit dieser Adresse melden Sie sich an.',
  name: 'Ihr Name',
  nameHelp: 'So, wie andere ihn sehen.',
  nameNeeded: 'Bitte geben Sie Ihren Namen ein.',
  password: 'Passwort',
  accept: 'Annehmen und anmelden',
  accepting: 'Einen Moment …',
  other: (person) =>
    `Sie sind hier als ${person} angemeldet. Wenn Sie annehmen, sind Sie in diesem Browser als die eingeladene Person angemeldet.`,
  dead: 'Diese Einladung gilt nicht mehr',
  deadHelp:
    'Sie wurde schon benutzt, zurückgezogen, neu verschickt oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, sie noch einmal zu schicken.',
  taken: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an.',
}
