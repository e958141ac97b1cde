import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  {
    name: 'entry',
    as: 'editor',
    path: (sample) => `/console/entries/${sample.entry('Rücksendung und Erstattung')}`,
    ready: '.others a',
  },
  {
    name: 'entry-long',
    as: 'reader',
    path: (sample) => `/console/entries/${sample.entry('Search from a page')}`,
    ready: '.others a',
  },
  {
    name: 'entry-missing',
    as: 'reader',
    path: '/console/entries/0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11',
    ready: '.intro',
  },
]
