import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { HANG_MS } from '../support/patience.ts'

/** A person with Chromium who signs in once, and then allows the requests of applications on this computer. */
export class ChromiumPerson {
  readonly #page: Page
  readonly #email: string
  readonly #password: string
  readonly #server: Server
  /** The address to which applications send the browser back. */
  readonly redirectUrl: string

  private constructor(page: Page, server: Server, email: string, password: string) {
    this.#page = page
    this.#server = server
    this.#email = email
    this.#password = password
    this.redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  }

  static async sitDown(browser: Browser, email: string, password: string): Promise<ChromiumPerson> {
    const server = createServer((_request, response) => response.end('You may close this page.'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    page.setDefaultTimeout(HANG_MS)
    return new ChromiumPerson(page, server, email, password)
  }

  /** Opens an application's request and allows all of it. @returns the parameters with which the browser comes back */
  async allow(url: URL): Promise<URLSearchParams> {
    const page = this.#page
    await page.goto(url.href)
    const allow = page.getByRole('button', { name: 'Allow' })
    const address = page.locator('[name=email]')
    const goOn = page.getByRole('button', { name: /^Continue/ })
    await allow.or(address).or(goOn).first().waitFor()
    if (await address.isVisible()) {
      await address.fill(this.#email)
      await page.locator('[name=password]').fill(this.#password)
      await page.locator('form button[type=submit]').click()
    } else if (await goOn.isVisible()) {
      await goOn.click()
    }
    await allow.waitFor()
    for (const scope of await page.getByRole('checkbox').all()) await scope.check()
    await allow.click()
    await page.waitForURL(`${this.redirectUrl}**`)
    return new URL(page.url()).searchParams
  }

  async leave(): Promise<void> {
    await this.#page.context().close()
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }
}
