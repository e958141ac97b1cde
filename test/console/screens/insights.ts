import type { Screen } from '../screen.ts'

export const screens: readonly Screen[] = [
  { name: 'insights', as: 'shopkeeper', path: '/console/insights', ready: '.chart-line' },
  {
    name: 'insights-tables',
    as: 'shopkeeper',
    path: '/console/insights?days=7&tables=%5B%22searches%22%2C%22clicks%22%5D&section=knowledge',
    ready: '.figure-table',
  },
  {
    name: 'insights-learnt',
    as: 'shopkeeper',
    path: '/console/insights?days=90&section=products&learnt=Akkuschrauber',
    ready: '.insights-learning ~ .stack table a',
  },
  {
    name: 'insights-synonym',
    as: 'shopkeeper',
    path: '/console/insights?section=products',
    steps: async (page) => {
      await page.locator('.insights-actions button').first().click()
    },
    onlyOpens: true,
    ready: '[role=dialog] form',
  },
  { name: 'insights-empty', as: 'founder', path: '/console/insights?days=7', ready: '.empty' },
  {
    name: 'insights-failed',
    as: 'shopkeeper',
    path: '/console',
    steps: async (page) => {
      await page.route('**/analytics/search?*', (route) => route.fulfill({ status: 500, json: { detail: [] } }))
      await page.goto(new URL('/console/insights', page.url()).href)
    },
    ready: '.notice-danger',
  },
  { name: 'insights-forbidden', as: 'reader', path: '/console/insights', ready: '.empty' },
]
