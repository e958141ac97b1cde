import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath, skipWithout } from './optional-programs.ts'
import { inTier } from './tier.ts'

/**
 * Reason for which browser tests are skipped; false when they run. Where CI requires every test, they run and fail
 * instead.
 */
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
/**
 * Script that loads axe-core from the page's server. It answers whether axe-core is there: a page may come from another
 * server, or forbid its own server's answers.
 */
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

/** Combinations of colours that a page of this process showed with enough contrast. */
const judgedColours = new Set<string>()

/** Texts of a page whose contrast is judged. */
type Judged = 'new colours' | 'every text'

/**
 * Returns the findings of axe-core on the current page, one line each. Contrast takes half of its time. So the gate
 * judges it once for each combination of text and ground, and `npm run test:all` for every text of every page.
 * @param isServed whether the page's server has axe-core, by `serveAxe`
 */
export async function accessibilityFaults(
  page: Page,
  isServed = false,
  judging: Judged = inTier<Judged>({ gate: 'new colours', all: 'every text' }),
): Promise<string[]> {
  const isThere = await page.evaluate<boolean>(isServed ? LOAD_AXE : '"axe" in window')
  // Evaluated instead of added as a script, which a page's policy may forbid.
  if (!isThere) await page.evaluate(AXE)
  // Without selectors: making them takes a fifth of the time, and a finding shows its HTML.
  if (judging === 'every text')
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
 * Lets pages load axe-core from their own server. The browser keeps and compiles such a script once; to pass it anew to
 * each page would take as long as to run it.
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
 * Script that runs all rules but contrast on the page, and contrast on the texts whose combination of colours is not
 * known yet. It judges all such texts, because axe-core says nothing about a text that is disabled, covered, off the
 * screen or one letter long, and another text of the same combination may be at fault. A combination counts as judged
 * where axe-core passed a text of it. The ground is the paint of the elements around a text. Where another element lies
 * under a text, such as a positioned sibling, a known combination hides a fault that only `npm run test:all` finds.
 */
const JUDGE_NEW_COLOURS = `async (known) => {
  const options = { resultTypes: ['violations'], selectors: false }
  const rest = await axe.run({ ...options, rules: { 'color-contrast': { enabled: false } } })
  const isKnown = new Set(known)
  const coloursOf = new Map()
  let isJudged = false
  const look = (element, around) => {
    const { display, color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow } =
      getComputedStyle(element)
    // An element that is only its contents counts as invisible, but these do not.
    if (display !== 'contents' && !element.checkVisibility()) return
    const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1'
    const ground = isClear ? around : [around, backgroundColor, backgroundImage, opacity].join('|')
    const hasText =
      ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName) ||
      [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '')
    const colours = [color, fontSize, fontWeight, textShadow, ground].join(' ')
    if (hasText && isKnown.has(colours)) isJudged = true
    else if (hasText) coloursOf.set(element, colours)
    for (const child of element.children) look(child, ground)
  }
  look(document.body, getComputedStyle(document.documentElement).backgroundColor)
  const judge = () =>
    axe.run(
      { include: [...coloursOf.keys()] },
      { ...options, resultTypes: ['violations', 'passes'], runOnly: ['color-contrast'], elementRef: true },
    )
  const { violations, passes } = coloursOf.size === 0 ? { violations: [], passes: [] } : await judge()
  const coloursIn = (results) =>
    new Set(results.flatMap(({ nodes }) => nodes.map(({ element }) => coloursOf.get(element))))
  const faulty = coloursIn(violations)
  const passed = coloursIn(passes)
  if (!isJudged && faulty.size + passed.size === 0 && document.body.innerText.trim() !== '')
    throw new Error('The contrast of no text on this page was judged')
  return {
    rest: { violations: rest.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })) },
    contrast: { violations: violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })) },
    judged: [...passed].filter((colours) => colours !== undefined && !faulty.has(colours)),
  }
}`
