import type { Screen } from '../screen.ts'

const PATH = '/console/settings/single-sign-on'

export const screens: readonly Screen[] = [
  { name: 'single-sign-on', as: 'admin', path: PATH, ready: '.number-input' },
  {
    name: 'single-sign-on-groups',
    as: 'admin',
    path: PATH,
    steps: async (page) => {
      await page.locator('.number-input').waitFor()
      const add = page.locator('.settings-fields > .row .button')
      for (const group of ['kb-redaktion', 'lieferanten-aussendienst-norddeutschland', '']) {
        await add.click()
        await page.locator('.sso-group').last().locator('input').first().fill(group)
      }
      await page.locator('.save-bar [type=submit]').click()
    },
    ready: '.sso-group .field-fault',
  },
  {
    name: 'single-sign-on-none',
    as: 'admin',
    path: PATH,
    // The test's service has a company account; this is the answer of a service without one.
    steps: async (page) => {
      await page.route('**/api/knowledge/sign-in-provider', (route) => route.fulfill({ json: { provider: null } }))
      await page.reload()
    },
    ready: '.number-input',
  },
  { name: 'single-sign-on-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
