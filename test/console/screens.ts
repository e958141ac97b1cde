import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import type { Screen } from './screen.ts'
import type { Look, Visitor } from './visitor.ts'

interface Known {
  readonly visitor: Visitor
  /** Whether nothing was changed or typed since its page was loaded. */
  isUntouched: boolean
}

/**
 * Opens screens as the people they are for. Each person has one browser for each look, which stays signed in. Where the
 * last screen changed nothing, its page goes on to the next one as by a link, for a third of the time of loading it.
 */
export class Screens {
  readonly #stage: Stage
  readonly #known = new Map<string, Known>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async open(screen: Screen, look: Look): Promise<Visitor> {
    const { as, steps, onlyOpens = steps === undefined, ready = 'h1' } = screen
    const path = typeof screen.path === 'string' ? screen.path : screen.path(this.#stage.sample)
    const known = await this.#knownFor(screen, look)
    const { visitor } = known
    const { isUntouched } = known
    known.isUntouched = false
    if (isUntouched) await visitor.goWithin(path)
    else if (as === null) await visitor.goTo(path)
    else if (as === 'operator') await visitor.enter(this.#stage.operatorKey, path)
    else await visitor.goSignedIn(PEOPLE[as], PASSWORD, path)
    // What nobody is signed in for reads its address when it is loaded.
    known.isUntouched = as !== null && onlyOpens
    if (steps !== undefined) await steps(visitor.page)
    await visitor.page.locator(ready).first().waitFor()
    return visitor
  }

  async close(): Promise<void> {
    for (const { visitor } of this.#known.values()) await visitor.close()
    this.#known.clear()
  }

  async #knownFor({ as }: Screen, look: Look): Promise<Known> {
    const name = [as, ...Object.values(look)].join(' ')
    const known = this.#known.get(name)
    if (known === undefined) {
      const first = { visitor: await this.#stage.visit(look), isUntouched: false }
      this.#known.set(name, first)
      return first
    }
    if (!known.isUntouched) await known.visitor.startOver()
    return known
  }
}
