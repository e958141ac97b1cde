import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../../test/support/chromium.ts'
import { type TaskFigures, traced, TraceLost } from './trace.ts'

const PATIENCE_MS = 120_000
const LOST_MAX = 3

/** A signed-in page in a browser of its own. Chromium at times never ends a trace; only another browser helps then. */
export class Visit {
  readonly #base: string
  readonly #password: string
  #browser!: Browser
  #page!: Page

  private constructor(base: string, password: string) {
    this.#base = base
    this.#password = password
  }

  static async begin(base: string, password: string): Promise<Visit> {
    const visit = new Visit(base, password)
    await visit.#start()
    return visit
  }

  get page(): Page {
    return this.#page
  }

  get version(): string {
    return this.#browser.version()
  }

  /**
   * Runs an action under the trace.
   * @param prepare leads a page of a new browser to the place where the action begins
   * @throws TraceLost if no browser ends its trace
   */
  async traced(prepare: (page: Page) => Promise<void>, act: (page: Page) => Promise<void>): Promise<TaskFigures> {
    for (let lost = 0; ; lost++) {
      try {
        return await traced(this.#browser, this.#page, () => act(this.#page))
      } catch (error) {
        if (!(error instanceof TraceLost) || lost === LOST_MAX) throw error
        process.stderr.write('Chromium did not end its trace; a new one begins again\n')
        await this.end()
        await this.#start()
        await prepare(this.#page)
      }
    }
  }

  end(): Promise<void> {
    return this.#browser.close()
  }

  async #start(): Promise<void> {
    this.#browser = await startChromium()
    const page = await this.#browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
    // A machine with much else to do takes its time; nothing here is measured by the clock of Playwright.
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${this.#base}/console/sign-in`)
    await page.locator('[name=email]').fill('admin@localhost')
    await page.locator('[name=password]').fill(this.#password)
    await page.locator('form:has([name=email]) button[type=submit]').click()
    await page.waitForURL((url) => !url.pathname.startsWith('/console/sign-in'))
    this.#page = page
  }
}
