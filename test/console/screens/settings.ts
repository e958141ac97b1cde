import type { Screen } from '../screen.ts'

const PATH = '/console/settings'

export const screens: readonly Screen[] = [
  { name: 'settings', as: 'admin', path: PATH, ready: '.number-input' },
  {
    name: 'settings-changed',
    as: 'admin',
    path: PATH,
    steps: async (page) => {
      await page.locator('[name=name]').fill('Werkzeug Hansen GmbH')
    },
    ready: '.save-bar',
  },
  { name: 'settings-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
