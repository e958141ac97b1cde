import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath, skipWithout } from './optional-programs.ts'

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

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** The findings of axe-core on the current page, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated instead of added as a script, which the pages' policy forbids.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  // Without selectors: making them takes a fifth of the time, and a finding shows its HTML.
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"], selectors: false })')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
