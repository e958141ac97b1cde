import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/chromium.ts'
import { HANG_MS, until } from '../support/patience.ts'

export interface Look {
  readonly locale: string
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}

/** Covers each language, each theme and each screen width. */
export const LOOKS = [
  { locale: 'en-GB', colorScheme: 'light', width: 1280 },
  { locale: 'de-DE', colorScheme: 'dark', width: 360 },
] as const satisfies readonly Look[]

type TakeBack = (visitor: Visitor) => void

const NOTE_VIOLATIONS = `
  document.addEventListener('securitypolicyviolation', (event) =>
    window.noteViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))
`

/** A person with their own browser. Collects errors from the pages' console. */
export class Visitor {
  readonly page: Page
  readonly complaints: string[] = []
  readonly #base: string
  readonly #violations: string[]
  readonly #context: BrowserContext
  readonly #size: { readonly width: number; readonly height: number }
  /** Takes the browser back for the next person; null for a browser that ends with its visit. */
  readonly #takeBack: TakeBack | null

  private constructor(
    page: Page,
    context: BrowserContext,
    base: string,
    violations: string[],
    takeBack: TakeBack | null,
  ) {
    this.page = page
    this.#takeBack = takeBack
    this.#violations = violations
    this.#context = context
    this.#base = base
    this.#size = page.viewportSize()!
    page.setDefaultTimeout(HANG_MS)
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      // Chromium logs a refusal as an error, but a refusal is a normal answer.
      const isRefusal = message.text().startsWith('Failed to load resource')
      if (['error', 'warning'].includes(message.type()) && !isRefusal) this.complaints.push(message.text())
    })
  }

  /**
   * Opens a visit.
   * @param takeBack takes the browser back, as empty as a new one, once the visit is over; null ends the browser then
   */
  static async open(
    browser: Browser,
    base: string,
    { locale, colorScheme, width }: Look = LOOKS[0],
    takeBack: TakeBack | null = null,
  ): Promise<Visitor> {
    const context = await browser.newContext({
      locale,
      colorScheme,
      viewport: { width, height: 800 },
      // Half-faded colours have no contrast, and pictures would differ.
      reducedMotion: 'reduce',
    })
    // A function of the test survives reloads, unlike a list in the page.
    const violations: string[] = []
    await context.exposeFunction('noteViolation', (what: string) => void violations.push(what))
    await context.addInitScript(NOTE_VIOLATIONS)
    return new Visitor(await context.newPage(), context, base, violations, takeBack)
  }

  /** Begins anew in the same browser: signed in as before, with nothing else that pages kept. */
  async startOver(): Promise<void> {
    await this.#unroute()
    // On this page no code of the console runs. It has the same origin, so the browser keeps the process that has read
    // the console's code: a new process takes as long as everything else that a page needs to open.
    await this.goTo('/healthz')
    await this.page.evaluate('sessionStorage.clear()')
    await this.page.setViewportSize(this.#size)
    this.complaints.length = 0
    const devTools = await this.#context.newCDPSession(this.page)
    const origin = new URL(this.#base).origin
    await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
    await devTools.detach()
  }

  /** Goes to a page. @param path path of the service, or a whole address */
  async goTo(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#base).href)
  }

  /** Goes to another page without loading the console anew, as a link does, and waits until it is drawn. */
  async goWithin(path: string): Promise<void> {
    // A page whose parameters alone change would go on showing its old content until the new one arrives.
    const isSame = new URL(path, this.#base).pathname === new URL(this.page.url()).pathname
    for (const next of isSame ? ['/console/nowhere', path] : [path]) {
      const isDrawn = await this.page.evaluate<boolean>(`new Promise((resolve) => {
        // The router gives itself to its developer tools.
        const router = window.__TSR_ROUTER__
        const leave = router.subscribe('onRendered', () => (leave(), resolve(true)))
        router.history.push(${JSON.stringify(next)})
        setTimeout(resolve, ${HANG_MS}, false)
      })`)
      assert.ok(isDrawn, `${next} does not open from ${this.page.url()}`)
    }
    const open = this.page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
    await until(async () => (await open.count()) === 0, `what was open before ${path} is closed`)
  }

  async fillSignIn(email: string, password: string): Promise<void> {
    await this.page.locator('[name=email]').fill(email)
    await this.page.locator('[name=password]').fill(password)
    await this.page.locator('form:has([name=email]) button[type=submit]').click()
  }

  async signIn(email: string, password: string, path = '/console'): Promise<void> {
    await this.goTo(`/console/sign-in?return_to=${encodeURIComponent(path)}`)
    await this.fillSignIn(email, password)
    await this.page.waitForURL((url) => !url.pathname.startsWith('/console/sign-in'))
  }

  /** Returns the cookies of the browser. */
  cookies(): Promise<Cookie[]> {
    return this.#context.cookies()
  }

  /**
   * Goes to a page with the session of another browser.
   * @returns whether the session still holds; if not, the visitor is at the sign-in
   */
  async goToWith(cookies: readonly Cookie[], path: string): Promise<boolean> {
    await this.#context.addCookies([...cookies])
    return this.#goAndSee(path)
  }

  /** Goes to a page, by the sign-in unless this browser is signed in. */
  async goSignedIn(email: string, password: string, path: string): Promise<void> {
    if (!(await this.#goAndSee(path))) await this.signIn(email, password, path)
  }

  async #goAndSee(path: string): Promise<boolean> {
    await this.goTo(path)
    await this.page.locator('h1').first().waitFor()
    return !new URL(this.page.url()).pathname.startsWith('/console/sign-in')
  }

  /** Goes to a page of the operator and enters the credential, which a page forgets when it is loaded. */
  async enter(key: string, path = '/console/operator'): Promise<void> {
    await this.goTo(path)
    await this.page.locator('[name=credential]').fill(key)
    await this.page.locator('form:has([name=credential]) button[type=submit]').click()
    await this.page.locator('.operator-top').waitFor()
  }

  /** Signs out by the person's menu. */
  async signOut(): Promise<void> {
    await this.page.locator('.account').click()
    await this.page.getByRole('menuitem').last().click()
    await this.page.waitForURL((url) => url.pathname === '/console/sign-in')
  }

  /** Goes to a page by the navigation, which is a drawer on narrow screens. */
  async navigate(name: string): Promise<void> {
    const drawer = this.page.locator('.drawer-button button')
    if (await drawer.isVisible()) await drawer.click()
    await this.page.locator('.navigation:visible').getByRole('link', { name, exact: true }).click()
  }

  /** Presses keys one after the other, such as "Tab", "Enter". */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Returns the name that screen readers give to the element with the focus. */
  async focused(): Promise<string> {
    return this.page.evaluate<string>(
      "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? '').trim()",
    )
  }

  /**
   * Waits until the focus is on the element that screen readers call by this name; it moves a moment after a dialog has
   * closed.
   */
  async focusOn(name: string): Promise<void> {
    let last = ''
    await until(
      async () => (last = await this.focused()) === name,
      () => `the focus is on “${name}”; it is on “${last}”`,
    )
  }

  /** Tells whether the focus is within the element that the selector finds. */
  async isFocusIn(selector: string): Promise<boolean> {
    return this.page.evaluate<boolean>(`document.querySelector('${selector}').contains(document.activeElement)`)
  }

  /** Waits for the page's heading. */
  async heading(text: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: text }).waitFor()
  }

  /** Fails on findings of axe-core, on content wider than the screen, and on errors in the page's console. */
  async assertSound(what: string): Promise<void> {
    assert.deepEqual(await accessibilityFaults(this.page, true), [], what)
    const excess = await this.page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    assert.ok(excess <= 0, `${what} is ${excess} px wider than the screen`)
    const cut = await this.page.evaluate<number>(
      "Math.max(0, ...[...document.querySelectorAll('.table-frame')].map((frame) => frame.scrollWidth - frame.clientWidth))",
    )
    assert.equal(cut, 0, `a table in ${what} is ${cut} px wider than its frame`)
    assert.deepEqual(this.complaints, [], what)
    assert.deepEqual(this.#violations, [], `violations of the Content-Security-Policy in ${what}`)
  }

  /** Returns what broke the policy of the pages so far, for a story in which that has to happen. */
  takeViolations(): string[] {
    this.complaints.length = 0
    return this.#violations.splice(0)
  }

  /** Ends the visit. Fails when anything broke the policy of the pages meanwhile, or their console tells of an error. */
  async close(): Promise<void> {
    await this.#unroute()
    const violations = this.#violations.splice(0)
    const complaints = this.complaints.splice(0)
    if (this.#takeBack === null || this.page.isClosed()) await this.#context.close()
    else await this.#giveBack(this.#takeBack)
    assert.deepEqual(violations, [], 'violations of the Content-Security-Policy')
    assert.deepEqual(complaints, [], "errors in the page's console")
  }

  async #giveBack(takeBack: TakeBack): Promise<void> {
    for (const page of this.#context.pages()) if (page !== this.page) await page.close()
    await this.startOver()
    for (const event of ['request', 'requestfailed', 'response', 'dialog', 'download'] as const) {
      this.page.removeAllListeners(event)
    }
    await this.#context.clearCookies()
    await this.#context.clearPermissions()
    this.#violations.length = 0
    takeBack(this)
  }

  /**
   * Ends the stand-ins for the service. A page may send a request just before it closes, and the stand-in then has no
   * page to answer.
   */
  async #unroute(): Promise<void> {
    if (!this.page.isClosed()) await this.page.unrouteAll({ behavior: 'ignoreErrors' })
  }
}
