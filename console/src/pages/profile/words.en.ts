export const words = {
  title: 'Your account',
  parts: { profile: 'Profile', security: 'Security', sessions: 'Sign-ins' },
  profile: {
    name: 'Name',
    nameHelp: 'As others see it, beside what you write.',
    nameNeeded: 'Please enter your name.',
    email: 'Email address',
    emailHelp: 'You sign in with it. It cannot be changed here.',
    role: 'Role',
    language: 'Language',
    languageHelp: 'Of these pages, in every browser in which you chose no other, and of mail to you.',
    asBrowser: 'As the browser',
  },
  secondFactor: 'Second factor',
  password: {
    title: 'Password',
    has: 'You sign in with your email address and a password.',
    none: 'You have no password, because you sign in another way. An administrator can give you a link to choose one.',
    change: 'Change password',
    old: 'Present password',
    oldNeeded: 'Please enter your present password.',
    new: 'New password',
    text: 'You stay signed in here. Everywhere else you sign in anew.',
    wrong: 'Wrong password',
    meanwhile: 'The password was changed meanwhile. Close this and try again.',
    changed: 'Your new password is saved. You are signed out everywhere else.',
  },
  sessions: {
    intro: 'The browsers in which you are signed in. If you do not know one, sign it out and change your password.',
    end: 'Sign out',
    endNamed: (time: string) => `Sign out: sign-in of ${time}`,
    ended: 'That browser is signed out.',
    everywhere: 'Sign out everywhere',
    everywhereTitle: 'Sign out everywhere?',
    everywhereText:
      'You are signed out in every browser, this one too. Your API keys and connected applications go on.',
  },
}

export type ProfileWords = typeof words
