import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  { name: 'invitation', as: null, path: (sample) => `/console${sample.link('invitation')}`, ready: 'form' },
  {
    name: 'invitation-faults',
    as: null,
    path: (sample) => `/console${sample.link('invitation')}`,
    steps: (page) => page.locator('form button[type=submit]').click(),
    ready: '.field-fault',
  },
  { name: 'invitation-dead', as: null, path: '/console/invitation#used-already' },
]
