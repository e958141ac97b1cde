import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath, skipWithout } from './optional-programs.ts'
import { isWhole } from './tier.ts'

/** Why browser tests are skipped; false when they run. Where CI requires every test, they run and fail instead. */
export const WITHOUT_CHROMIUM: string | false = skipWithout('chromium')

/** Starts this machine's Chromium; nothing is downloaded. */
export function startChromium(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH')
  // The sandbox needs rights that containers seldom have, and the browser visits only the service under test.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const AXE_PATH = '/axe-core.js'
/** @returns whether axe-core is there; a page may be of another server, or keep its own server's answers off */
const LOAD_AXE = `new Promise((resolve) => {
  if ('axe' in window) return resolve(true)
  const script = Object.assign(document.createElement('script'), { src: '${AXE_PATH}' })
  script.onload = () => resolve('axe' in window)
  script.onerror = () => resolve(false)
  document.head.append(script)
  script.remove()
})`

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** Combinations of colours that some page showed with enough contrast, in this process. */
const judgedColours = new Set<string>()

/**
 * The findings of axe-core on the current page, one line each. Contrast takes half of its time, so the gate has it
 * judged once for each combination of text and ground, and `npm run test:all` for every text of every page.
 * @param isServed whether the page's server has axe-core, by `serveAxe`
 */
export async function accessibilityFaults(page: Page, isServed = false): Promise<string[]> {
  const isThere = await page.evaluate<boolean>(isServed ? LOAD_AXE : '"axe" in window')
  // Evaluated instead of added as a script, which a page's policy may forbid.
  if (!isThere) await page.evaluate(AXE)
  // Without selectors: making them takes a fifth of the time, and a finding shows its HTML.
  if (isWhole)
    return lines(await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"], selectors: false })'))
  const { rest, contrast, judged } = await page.evaluate<{
    readonly rest: AxeResults
    readonly contrast: AxeResults
    readonly judged: readonly string[]
  }>(`(${JUDGE_NEW_COLOURS})(${JSON.stringify([...judgedColours])})`)
  for (const colours of judged) judgedColours.add(colours)
  return [...lines(rest), ...lines(contrast)]
}

/**
 * Lets pages load axe-core from their own server, as a script that the browser keeps and has compiled: to hand it over
 * anew takes as long as to run it.
 */
export function serveAxe(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (request.url !== AXE_PATH) for (const listen of listeners) listen.call(server, request, response)
    else {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=86400' })
      response.end(AXE)
    }
  })
}

const lines = ({ violations }: AxeResults): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)

/**
 * Runs all rules but contrast on the page, and contrast on one text of each combination that is not known yet. A
 * combination counts as judged where axe-core passed its text: it says nothing about what is disabled or covered.
 */
const JUDGE_NEW_COLOURS = `async (known) => {
  const options = { resultTypes: ['violations'], selectors: false }
  const rest = await axe.run({ ...options, rules: { 'color-contrast': { enabled: false } } })
  const isKnown = new Set(known)
  const texts = new Map()
  const look = (element, around) => {
    if (!element.checkVisibility()) return
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1'
    const ground = isClear ? around : [around, backgroundColor, backgroundImage, opacity].join('|')
    const hasText =
      ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName) ||
      [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '')
    const colours = [color, fontSize, fontWeight, textShadow, ground].join(' ')
    if (hasText && !isKnown.has(colours) && !texts.has(colours)) texts.set(colours, element)
    for (const child of element.children) look(child, ground)
  }
  look(document.body, getComputedStyle(document.documentElement).backgroundColor)
  if (texts.size === 0) return { rest, contrast: { violations: [] }, judged: [] }
  const { violations, passes } = await axe.run(
    { include: [...texts.values()] },
    { ...options, resultTypes: ['violations', 'passes'], runOnly: ['color-contrast'], elementRef: true },
  )
  const passed = new Set(passes.flatMap(({ nodes }) => nodes.map(({ element }) => element)))
  return {
    rest: { violations: rest.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })) },
    contrast: { violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })) },
    judged: [...texts].filter(([, element]) => passed.has(element)).map(([colours]) => colours),
  }
}`
