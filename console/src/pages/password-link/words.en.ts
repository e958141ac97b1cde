export const words = {
  title: 'Choose a new password',
  intro: (tenant: string) => `For your account at ${tenant}. You are signed out everywhere and sign in with it anew.`,
  email: 'Email address',
  submit: 'Save password',
  done: 'Your new password is saved',
  doneHelp: 'Sign in with it now.',
  signIn: 'Sign in',
  dead: 'This link does not work any more',
  deadHelp: 'It was used already, replaced by a newer one, or is over. Ask for a new link.',
  again: 'Ask for a new link',
  forgotten: 'Forgot your password?',
  forgottenHelp: 'Enter your email address. We mail you a link by which you choose a new password.',
  ask: 'Send link',
  asking: 'Sending …',
  noMail: 'This service sends no mail',
  noMailHelp: 'Ask an administrator of your organisation for a link by which you choose a new password.',
  asked: 'Look into your mail',
  askedHelp: (email: string) =>
    `If there is an account with ${email} that has a password, a link is on its way. It works for one hour. If nothing comes, look into the folder for spam, or ask your administrator.`,
  otherAddress: 'Try another address',
}

export type PasswordLinkWords = typeof words
