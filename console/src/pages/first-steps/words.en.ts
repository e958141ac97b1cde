import type { Step } from './step-names.ts'

const steps: Readonly<Record<Step, string>> = {
  name: 'Name your organisation',
  content: 'Add content',
  search: 'Search for the first time',
  invite: 'Invite somebody',
  assistant: 'Connect an assistant',
}

export const words = {
  title: 'First steps',
  intro:
    'Five minutes, and people and assistants find what your organisation knows. You can leave out every step and come back to it.',
  forbidden: 'Administrators set up the organisation.',
  forbiddenHelp: 'You can already search, and connect an assistant of your own under Connect.',
  progress: (done: number, all: number) =>
    done === all ? `All ${all} steps are done.` : `${done} of ${all} steps are done.`,
  steps,
  done: '(done)',
  next: 'Next step',
  skip: 'Later',
  finished: 'Everything is set up.',
  save: 'Save and go on',
  saved: 'Saved',
  name: 'Name of your organisation',
  nameHelp: 'People see it when they sign in and when an assistant asks for access.',
  nameNeeded: 'Enter a name.',
  language: 'Language',
  languageHelp: 'The language of texts that do not say one. Search finds German and English words in all their forms.',
  contentText: 'Import the files you have, write the first entry yourself, or look around with a sample first.',
  import: 'Import files',
  write: 'Write an entry',
  sample: 'A sample to try things with',
  sampleHelp:
    'Six short entries of an invented bicycle workshop, in a category of their own. One click removes them again.',
  addSample: 'Add sample',
  sampleAdded: (count: number) => `${count} sample entries are there.`,
  sampleThere: (count: number) => (count === 1 ? '1 sample entry is there.' : `${count} sample entries are there.`),
  removeSample: 'Remove sample',
  removeTitle: 'Remove the sample?',
  removeText: (count: number) =>
    count === 1
      ? 'The sample entry goes into the bin. What you wrote yourself stays.'
      : `The ${count} sample entries go into the bin. What you wrote yourself stays.`,
  remove: 'Remove sample',
  removed: 'The sample is removed.',
  searchText: 'Ask as you would ask a colleague. Whole questions, parts of words and typing errors are understood.',
  questions: ['What do I do with a damaged battery?', 'How long is the warranty on a frame?', 'ask for holidays'],
  toSearch: 'Go to search',
  inviteText: 'Knowledge is worth more when others read and write it, too. They choose a password of their own.',
  email: 'Email address',
  emailNeeded: 'Enter an email address.',
  isThere: 'Somebody with this address is here already, or invited.',
  role: 'Role',
  roles: {
    reader: 'Searches and reads',
    editor: 'Also writes, and sees what people search for',
    admin: 'Also manages people, keys and settings',
  },
  invite: 'Invite',
  mailed: (email: string) => `${email} has been sent an invitation.`,
  linkFor: (email: string) => `Send this link to ${email}. It is shown only this once, and works for one person.`,
  link: 'Link of the invitation',
  copyLink: 'Copy link',
  another: 'Invite somebody else',
  assistantText:
    'Claude, ChatGPT and others answer from your knowledge, with the rights of the person who connects them.',
}

export type FirstStepsWords = typeof words
