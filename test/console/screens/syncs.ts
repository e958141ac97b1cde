import type { Screen } from '../screen.ts'

const PATH = '/console/products/syncs'

export const screens: readonly Screen[] = [
  {
    name: 'syncs',
    as: 'editor',
    path: PATH,
    steps: (page) => page.locator('.run-changed button').first().click(),
    onlyOpens: true,
    ready: '.run-failures',
  },
  { name: 'syncs-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
