import type { Page } from 'playwright-core'
import type { Screen } from '../screen.ts'

const TITLE = 'Rücksendung und Erstattung'
const ready = '.editor-text'

/** Saves the entry whose page is open, as another person. */
const saveElsewhere = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    const path = '/api/knowledge/knowledge-entries/' + location.pathname.split('/')[3]
    const { content } = await (await fetch(path)).json()
    const body = JSON.stringify({ content: content.replace('Jahre', 'volle Jahre') + '\\n\\nNeu ab heute.\\n' })
    await (await fetch(path, { method: 'PATCH', body, headers: { 'content-type': 'application/json' } })).text()
  })()`)

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
  {
    name: 'editor-conflict',
    as: 'editor',
    path: (sample) => `/console/entries/${sample.entry('Garantie bei Akkuschraubern')}/edit`,
    steps: async (page) => {
      await page.locator('.editor-text').click()
      await page.keyboard.type('Mein Zusatz. ')
      await saveElsewhere(page)
      await page.keyboard.press('Control+s')
    },
    ready: '.choices',
  },
  {
    name: 'versions',
    as: 'editor',
    path: (sample) => `/console/entries/${sample.entry('Rasenmäher überwintern')}/versions`,
    steps: async (page) => {
      await page.locator('h1').waitFor()
      await saveElsewhere(page)
      await page.reload()
    },
    ready: '.text-diff',
  },
  { name: 'editor-forbidden', as: 'reader', path: '/console/entries/new', ready: '.empty' },
]
