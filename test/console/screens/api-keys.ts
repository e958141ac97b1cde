import type { Screen } from '../screen.ts'

const PATH = '/console/settings/api-keys'

export const screens: readonly Screen[] = [
  { name: 'api-keys', as: 'admin', path: PATH, ready: '[role=table]' },
  {
    name: 'api-keys-issuing',
    as: 'admin',
    path: PATH,
    steps: (page) => page.locator('.page-head .button-main').click(),
    onlyOpens: true,
    ready: '.dialog select',
  },
  {
    name: 'api-keys-publishing',
    as: 'admin',
    path: PATH,
    steps: async (page) => {
      await page.locator('.page-head .button-main').click()
      await page.locator('.dialog [name=kind]').nth(1).check()
    },
    ready: '.dialog .tag-input',
  },
  {
    name: 'api-keys-revoking',
    as: 'admin',
    path: PATH,
    steps: (page) => page.locator('td.actions button').first().click(),
    onlyOpens: true,
    ready: '[role=alertdialog]',
  },
  { name: 'api-keys-forbidden', as: 'reader', path: PATH, ready: '.empty' },
  {
    name: 'account-menu',
    as: 'admin',
    path: PATH,
    steps: (page) => page.locator('.account').click(),
    ready: '[role=menu]',
  },
]
