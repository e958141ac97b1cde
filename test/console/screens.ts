import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import type { Screen } from './screen.ts'
import type { Look, Visitor } from './visitor.ts'

/**
 * Opens screens as the people they are for. Each person has one browser for each look: it stays signed in and keeps
 * the console's files, which saves a third of the time.
 */
export class Screens {
  readonly #stage: Stage
  readonly #visitors = new Map<string, Visitor>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async open(screen: Screen, look: Look): Promise<Visitor> {
    const visitor = await this.#visitorFor(screen, look)
    const path = typeof screen.path === 'string' ? screen.path : screen.path(this.#stage.sample)
    if (screen.as === null) await visitor.goTo(path)
    else if (screen.as === 'operator') await visitor.enter(this.#stage.operatorKey, path)
    else await visitor.goSignedIn(PEOPLE[screen.as], PASSWORD, path)
    if (screen.steps !== undefined) await screen.steps(visitor.page)
    await visitor.page
      .locator(screen.ready ?? 'h1')
      .first()
      .waitFor()
    return visitor
  }

  async close(): Promise<void> {
    for (const visitor of this.#visitors.values()) await visitor.close()
    this.#visitors.clear()
  }

  async #visitorFor({ as }: Screen, look: Look): Promise<Visitor> {
    const name = [as, ...Object.values(look)].join(' ')
    const known = this.#visitors.get(name)
    if (known === undefined) {
      const visitor = await this.#stage.visit(look)
      this.#visitors.set(name, visitor)
      return visitor
    }
    await known.startOver()
    return known
  }
}
