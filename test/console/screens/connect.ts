import type { Screen } from '../screen.ts'

const PATH = '/console/connect'

export const screens: readonly Screen[] = [
  { name: 'connect', as: 'admin', path: PATH, ready: '.code-block' },
  { name: 'connect-cursor', as: 'reader', path: `${PATH}?assistant=cursor`, ready: '.code-block' },
  { name: 'connect-programs', as: 'admin', path: `${PATH}?kind=programs`, ready: '.code-block' },
  { name: 'connect-programs-reader', as: 'reader', path: `${PATH}?kind=programs`, ready: '.code-block' },
  {
    name: 'connect-key',
    as: 'founder',
    path: `${PATH}?kind=programs`,
    steps: async (page) => {
      await page.locator('[name=name]').fill('Intranet')
      await page.locator('form button[type=submit]').last().click()
    },
    ready: '.notice-warning',
  },
]
