import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  { name: 'new-password', as: null, path: (sample) => `/console${sample.link('new-password')}`, ready: 'form' },
  { name: 'new-password-dead', as: null, path: '/console/new-password#used-already' },
  { name: 'forgotten-password-without-mail', as: null, path: '/console/forgotten-password' },
  {
    name: 'forgotten-password',
    as: null,
    path: '/console',
    // The sample's service sends no mail, and the page asks the service whether it does.
    steps: async (page) => {
      await page.route('**/api/session/methods', (route) =>
        route.fulfill({ json: { password: true, provider: null, forgotten_password: true } }),
      )
      await page.goto(new URL('/console/forgotten-password', page.url()).href)
    },
    ready: 'form',
  },
]
