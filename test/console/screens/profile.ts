import type { Screen } from '../screen.ts'

const PATH = '/console/profile'

export const screens: readonly Screen[] = [
  { name: 'profile', as: 'editor', path: PATH, ready: 'form' },
  { name: 'profile-security', as: 'editor', path: `${PATH}?part=security`, ready: '.section:nth-of-type(3)' },
  {
    name: 'profile-password',
    as: 'editor',
    path: `${PATH}?part=security`,
    steps: async (page) => {
      await page.locator('.section .choices button').first().click()
      await page.locator('.dialog button[type=submit]').click()
    },
    ready: '.dialog .field-fault',
  },
  { name: 'profile-sessions', as: 'editor', path: `${PATH}?part=sessions`, ready: 'table' },
  {
    name: 'profile-sign-out-everywhere',
    as: 'editor',
    path: `${PATH}?part=sessions`,
    steps: (page) => page.locator('.part-foot button').click(),
    onlyOpens: true,
    ready: '[role=alertdialog]',
  },
]
