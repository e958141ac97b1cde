import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  {
    name: 'versions-none',
    as: 'editor',
    path: (sample) => `/console/entries/${sample.entry('Rücksendung und Erstattung')}/versions`,
    ready: '.empty',
  },
]
