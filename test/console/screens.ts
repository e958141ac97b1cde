import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import type { Screen } from './screen.ts'
import type { Look, Visitor } from './visitor.ts'

interface PersonalBrowser {
  readonly visitor: Visitor
  /** Whether the person has changed and typed nothing since the page was loaded. */
  isUntouched: boolean
}

/**
 * Opens screens as the people they are for. Each person has one browser for each look, which stays signed in. Where the
 * last screen changed nothing, its page goes on to the next one as by a link, in a third of the time of loading it.
 */
export class Screens {
  readonly #stage: Stage
  readonly #browsers = new Map<string, PersonalBrowser>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async open(screen: Screen, look: Look): Promise<Visitor> {
    const { as, steps, onlyOpens = steps === undefined, ready = 'h1' } = screen
    const path = typeof screen.path === 'string' ? screen.path : screen.path(this.#stage.sample)
    const browser = await this.#browserFor(screen, look)
    const { visitor } = browser
    const { isUntouched } = browser
    browser.isUntouched = false
    if (isUntouched) await visitor.goWithin(path)
    else if (as === null) await visitor.goTo(path)
    else if (as === 'operator') await visitor.enter(this.#stage.operatorKey, path)
    else await visitor.goSignedIn(PEOPLE[as], PASSWORD, path)
    // A page without a sign-in reads its address when it is loaded.
    browser.isUntouched = as !== null && onlyOpens
    if (steps !== undefined) await steps(visitor.page)
    await visitor.page.locator(ready).first().waitFor()
    return visitor
  }

  async close(): Promise<void> {
    for (const { visitor } of this.#browsers.values()) await visitor.close()
    this.#browsers.clear()
  }

  async #browserFor({ as }: Screen, look: Look): Promise<PersonalBrowser> {
    const name = [as, ...Object.values(look)].join(' ')
    const browser = this.#browsers.get(name)
    if (browser === undefined) {
      const first = { visitor: await this.#stage.visit(look), isUntouched: false }
      this.#browsers.set(name, first)
      return first
    }
    if (!browser.isUntouched) await browser.visitor.startOver()
    return browser
  }
}
