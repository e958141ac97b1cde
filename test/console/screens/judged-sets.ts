import type { Screen } from '../screen.ts'

const PATH = '/console/judged-sets'

export const screens: readonly Screen[] = [
  { name: 'judged-sets', as: 'admin', path: PATH, ready: '.empty, table' },
  {
    name: 'judged-sets-creating',
    as: 'admin',
    path: PATH,
    steps: (page) => page.locator('.page-head .button-main').click(),
    onlyOpens: true,
    ready: '.dialog',
  },
  { name: 'judged-sets-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
