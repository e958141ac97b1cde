import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** A page of the console with a long list. */
export interface Scene {
  readonly name: string
  readonly path: string
  /** Selector of an element that is there when the list is. */
  readonly ready: string
  /** The part that scrolls: the window, or an element. */
  readonly scrolled: 'window' | '.tree'
  /** Field in which one of many is chosen, and the text that finds it. */
  readonly pick?: { readonly label: string; readonly text: string }
}

const ROW = '.data-body .data-row'

export const SCENES: readonly Scene[] = [
  {
    name: 'entries',
    path: '/console/entries',
    ready: ROW,
    scrolled: 'window',
    pick: { label: 'Category', text: 'record 99' },
  },
  { name: 'categories', path: '/console/categories', ready: '.tree-item', scrolled: '.tree' },
  { name: 'products', path: '/console/products', ready: ROW, scrolled: 'window' },
  {
    name: 'audit trail',
    path: '/console/settings/audit-trail',
    ready: ROW,
    scrolled: 'window',
    pick: { label: 'Person', text: 'person 19' },
  },
  { name: 'people', path: '/console/settings/people', ready: ROW, scrolled: 'window' },
  { name: 'bin', path: '/console/bin', ready: ROW, scrolled: 'window' },
  { name: 'search results', path: '/console?q=reports%20of%20the%20company', ready: '.hit', scrolled: 'window' },
]

const KEY_EVERY_MS = 100
const WHEEL_PX = 400
const WHEEL_EVERY_MS = 40
const SETTLED_MS = 700
const PAGES = 3
const STEPS_MAX = 400
/** Number of categories that are opened, each with 21 others in it, and how often more of the largest is shown. */
const OPENED = 20
const STEPS = 10

/** Loads the page anew, as a visitor who comes by a link. */
export async function open(page: Page, base: string, { path, ready }: Scene): Promise<void> {
  await page.goto(base + path)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  await sleep(SETTLED_MS)
}

/** Scrolls by the wheel to the end of the list's first pages, or of the tree. */
export async function wheel(page: Page, { scrolled, ready }: Scene): Promise<void> {
  await page.locator(ready).first().hover()
  for (let turned = 1; ; turned++) {
    for (let steps = 0; steps < STEPS_MAX && !(await isAtEnd(page, scrolled)); steps++) {
      await page.mouse.wheel(0, WHEEL_PX)
      await sleep(WHEEL_EVERY_MS)
    }
    const next = page.locator('.pagination button').last()
    const isLast = turned === PAGES || (await next.count()) === 0 || (await next.isDisabled())
    if (scrolled !== 'window' || isLast) return
    await next.click()
    await page.locator('.stale').waitFor({ state: 'detached' })
    await sleep(SETTLED_MS)
  }
}

/** Drags the scroll bar, as browsers report it: the place changes at once, to the end, the middle and the top. */
export async function jump(page: Page, { scrolled }: Scene): Promise<void> {
  const element = scrolled === 'window' ? 'document.scrollingElement' : `document.querySelector('${scrolled}')`
  for (const share of [1, 0.5, 0.8, 0]) {
    await page.evaluate(`{ const at = ${element}; at.scrollTop = at.scrollHeight * ${share} }`)
    await sleep(SETTLED_MS)
  }
}

/** Finds one of many choices by typing a part of its name, and leaves the field without choosing it. */
export async function pick(page: Page, { label, text }: NonNullable<Scene['pick']>): Promise<void> {
  const field = page.getByRole('combobox', { name: label })
  await field.click()
  await field.pressSequentially(text, { delay: KEY_EVERY_MS })
  await page
    .getByRole('option', { name: new RegExp(text, 'i') })
    .first()
    .waitFor()
  await sleep(SETTLED_MS)
  await page.keyboard.press('Escape')
  await field.blur()
}

function isAtEnd(page: Page, scrolled: Scene['scrolled']): Promise<boolean> {
  const element = scrolled === 'window' ? 'document.scrollingElement' : `document.querySelector('${scrolled}')`
  return page.evaluate<boolean>(`{ const at = ${element}; at.scrollTop + at.clientHeight >= at.scrollHeight - 2 }`)
}

/**
 * Opens what is closed in the tree from the top down, then the category with thousands, and shows more of it, step by
 * step.
 */
export async function unfold(page: Page): Promise<void> {
  const tree = page.locator('.tree')
  const closed = tree.locator('.tree-item[aria-expanded=false] .tree-chevron').first()
  const more = tree.locator('.tree-item[data-key^="more:"]').first()
  await tree.hover()
  for (let opened = 0; opened < OPENED;) {
    if ((await closed.count()) > 0) {
      await closed.click()
      opened++
    } else await page.mouse.wheel(0, WHEEL_PX)
    await sleep(WHEEL_EVERY_MS)
  }
  await page.evaluate("{ const at = document.querySelector('.tree'); at.scrollTop = at.scrollHeight }")
  await tree
    .getByRole('row', { name: /^Register/ })
    .locator('.tree-chevron')
    .click()
  for (let steps = 0; steps < STEPS; steps++) {
    await page.evaluate("{ const at = document.querySelector('.tree'); at.scrollTop = at.scrollHeight }")
    await more.click()
    await sleep(WHEEL_EVERY_MS)
  }
}
