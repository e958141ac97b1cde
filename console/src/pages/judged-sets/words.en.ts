export const words = {
  title: 'Judged sets',
  intro: 'Searches whose results somebody judged. Run a set after a change to see whether search got better.',
  forbidden: 'Only administrators can use judged sets.',
  forbiddenHelp: 'Ask an administrator of your organisation.',
  create: 'New set',
  submit: 'Create',
  name: 'Name',
  section: 'Searches in',
  sections: { knowledge: 'Knowledge', products: 'Products' },
  queries: 'Searches',
  created: 'Created',
  done: (name: string) => `“${name}” is created`,
  empty: 'There is no judged set yet.',
  emptyHelp: 'Create one, then judge the results of a few searches in the laboratory. Ten searches are a good start.',
  full: 'There are 50 sets, which is the most. Delete one first.',
}

export type JudgedSetsWords = typeof words
