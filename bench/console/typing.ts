import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

export interface TypingFigures {
  readonly query: string
  /** Number of lists that were shown before the last key. */
  readonly answersMeanwhile: number
  /** From the last key until its answer is shown, milliseconds. */
  readonly lastAnswerMs: number
  /** Number of lists that were called the answer to another text than the one in the field. */
  readonly stale: number
}

interface TypingRecord {
  /** Time of the last key, by the page's clock. */
  readonly lastKey: number
  /** Times at which the list of hits became another one. */
  readonly listed: readonly number[]
  /** Texts that call the list the answer to a query, each with the text of the field at that time. */
  readonly said: readonly { readonly at: number; readonly text: string; readonly typed: string }[]
}

const KEY_EVERY_MS = 100
const PATIENCE_MS = 10_000
const LOOK_MS = 20

const WATCH = `
  window.watched = { lastKey: 0, listed: [], said: [] }
  let list = ''
  document.addEventListener('keydown', () => { window.watched.lastKey = performance.now() }, true)
  new MutationObserver(() => {
    const { listed, said } = window.watched
    const links = [...document.querySelectorAll('.hit-link')].map(({ href }) => href).join()
    if (links !== list) listed.push(performance.now())
    list = links
    const text = document.querySelector('.search section [role=status]')?.textContent ?? ''
    const typed = document.querySelector('[role=search] input')?.value ?? ''
    if (text !== '' && text !== said.at(-1)?.text) said.push({ at: performance.now(), text, typed })
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
`

/** Opens the search with an empty field. */
export async function openSearch(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/console`)
  await page.locator('[role=search] input').click()
  await page.waitForLoadState('networkidle')
  await page.evaluate(WATCH)
}

/** Types a query at ten keys a second, and waits for the answer to the whole query. @throws Error if none comes */
export async function typeQuery(page: Page, query: string): Promise<TypingFigures> {
  const began = performance.now()
  for (let i = 0; i < query.length; i++) {
    const wait = began + i * KEY_EVERY_MS - performance.now()
    if (wait > 0) await sleep(wait)
    await page.keyboard.press(query[i] === ' ' ? 'Space' : query[i])
  }
  const { lastKey, listed, said } = await settled(page, query)
  const answer = said.findLast(({ text }) => isTo(text, query))!
  return {
    query,
    answersMeanwhile: listed.filter((at) => at < lastKey).length,
    lastAnswerMs: answer.at - lastKey,
    stale: said.filter(({ text, typed }) => !isTo(text, typed.trim())).length,
  }
}

/** Tells whether a text is the answer to a query. Answers name their query in quotation marks. */
const isTo = (text: string, query: string): boolean => text.includes(`“${query}”`)

async function settled(page: Page, query: string): Promise<TypingRecord> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const watched = await page.evaluate<TypingRecord>('window.watched')
    if (isTo(watched.said.at(-1)?.text ?? '', query)) return watched
    await sleep(LOOK_MS)
  }
  throw new Error(`No answer to "${query}" within ${PATIENCE_MS} ms`)
}
