import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const executablePath = PLACES.find((place) => place !== undefined && existsSync(place))

/** Why tests in a browser are skipped; false when they run. Where everything has to be tested they run, and fail. */
export const WITHOUT_CHROMIUM: string | false =
  executablePath !== undefined || process.env.CI === 'true'
    ? false
    : 'no Chromium on this machine: install one, or name it in CHROMIUM_PATH'

/** Starts the Chromium of this machine; nothing is downloaded. */
export function startChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH')
  // Its sandbox needs rights that containers seldom have; it visits nothing but the service under test.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** What axe-core finds wrong with the page as it is shown, as one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the pages' policy lets nothing of the kind run.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
