import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  { name: 'sign-in', as: null, path: '/console/sign-in', ready: 'form' },
  {
    name: 'sign-in-faults',
    as: null,
    path: '/console/sign-in?fault=provider_failed',
    steps: (page) => page.locator('form button[type=submit]').click(),
    ready: '.field-fault',
  },
  { name: 'not-found', as: null, path: '/console/nowhere' },
]
