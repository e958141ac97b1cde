import type { Screen } from '../screen.ts'

const path = '/console/entries'

export const screens: readonly Screen[] = [
  { name: 'entries', as: 'editor', path, ready: '[role=table]' },
  { name: 'entries-reader', as: 'reader', path, ready: '[role=table]' },
  { name: 'entries-filtered', as: 'editor', path: `${path}?language=de&visibility=public`, ready: '[role=table]' },
  { name: 'entries-nothing', as: 'editor', path: `${path}?tag=nobody-has-this`, ready: '.empty' },
  {
    name: 'entries-selected',
    as: 'editor',
    path,
    steps: async (page) => {
      await page.locator('.data-body .check').first().click()
      await page.locator('.data-body .check').nth(2).click()
    },
    onlyOpens: true,
    ready: '.bulk-bar',
  },
  {
    name: 'entries-moving',
    as: 'editor',
    path,
    steps: async (page) => {
      await page.locator('.data-body .check').first().click()
      await page.locator('.bulk-bar .button-main').click()
      await page.locator('[role=menuitem]').first().click()
    },
    onlyOpens: true,
    ready: '[role=dialog]',
  },
]
