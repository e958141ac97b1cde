import type { Screen } from '../../../../test/console/screen.ts'

const TITLE = 'Rücksendung und Erstattung'
const ready = '.editor-text'

export const screens: readonly Screen[] = [
  { name: 'editor-new', as: 'editor', path: '/console/entries/new', ready },
  {
    name: 'editor-edit',
    as: 'editor',
    path: (sample) => `/console/entries/${sample.entry(TITLE)}/edit`,
    ready: '.editor-text table',
  },
  {
    name: 'editor-markdown',
    as: 'editor',
    path: (sample) => `/console/entries/${sample.entry(TITLE)}/edit`,
    steps: (page) => page.locator('.segment').last().click(),
    ready: '.markdown-text',
  },
  {
    name: 'editor-faults',
    as: 'editor',
    path: '/console/entries/new',
    steps: async (page) => {
      await page.locator('.editor-text').waitFor()
      await page.keyboard.press('Control+s')
    },
    ready: '.field-fault',
  },
  { name: 'editor-forbidden', as: 'reader', path: '/console/entries/new', ready: '.empty' },
]
