export const words = {
  title: 'You are invited',
  by: (person: string, tenant: string) => `${person} invites you to work with the knowledge of ${tenant}.`,
  byNobody: (tenant: string) => `You are invited to work with the knowledge of ${tenant}.`,
  about: (role: string, moment: string) => `Your role is ${role}. The invitation is open until ${moment}.`,
  email: 'Email address',
  emailHelp: 'You sign in with this address.',
  name: 'Your name',
  nameHelp: 'As others will see it.',
  nameNeeded: 'Please enter your name.',
  password: 'Password',
  accept: 'Accept and sign in',
  accepting: 'One moment …',
  other: (person: string) =>
    `You are signed in here as ${person}. Accepting signs you in as the invited person in this browser.`,
  dead: 'This invitation does not work any more',
  deadHelp: 'It was used already, withdrawn, sent again, or is over. Ask whoever invited you to send it once more.',
  taken: 'There is an account with this email address already. Sign in with it.',
}

export type InvitationWords = typeof words
