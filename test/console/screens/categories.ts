import type { Screen } from '../screen.ts'

const PATH = '/console/categories'
const dialog = (nth: number) => async (page: Parameters<NonNullable<Screen['steps']>>[0]) => {
  await page.locator('.tree-item').first().click()
  await page.locator('.categories-details button').nth(nth).click()
}

export const screens: readonly Screen[] = [
  { name: 'categories', as: 'editor', path: PATH, ready: '.tree-item' },
  {
    name: 'categories-chosen',
    as: 'editor',
    path: (sample) => `${PATH}?category=${sample.category('Guides')}`,
    ready: '.categories-details h2',
  },
  { name: 'categories-found', as: 'reader', path: `${PATH}?find=guid`, ready: '.tree-item' },
  { name: 'categories-found-none', as: 'reader', path: `${PATH}?find=zzzz`, ready: '.empty-action' },
  { name: 'categories-changing', as: 'editor', path: PATH, steps: dialog(0), onlyOpens: true, ready: '[role=dialog]' },
  { name: 'categories-moving', as: 'editor', path: PATH, steps: dialog(2), onlyOpens: true, ready: '[role=dialog]' },
  { name: 'categories-deleting', as: 'editor', path: PATH, steps: dialog(4), onlyOpens: true, ready: '.dialog' },
]
