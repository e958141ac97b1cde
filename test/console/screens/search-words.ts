import type { Screen } from '../screen.ts'

const PATH = '/console/products/words'

export const screens: readonly Screen[] = [
  { name: 'synonyms', as: 'editor', path: PATH, ready: '[role=table]' },
  {
    name: 'synonyms-new',
    as: 'editor',
    path: PATH,
    steps: async (page) => {
      await page.locator('.page-head .button-main').click()
      await page.locator('[role=dialog] [type=submit]').click()
    },
    ready: '.field-fault',
  },
  { name: 'synonyms-forbidden', as: 'reader', path: PATH, ready: '.empty' },
]
