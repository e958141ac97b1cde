import { join } from 'node:path'
import { randomSource } from '../../bench/support/random.ts'
import { Journal } from './journal.ts'
import type { Site } from './site.ts'
import { STRIKES } from './strikes.ts'
import type { Trial } from './trial.ts'
import { World } from './world.ts'

/** Rounds after which an installation has so much content that checking it takes longer than breaking it. */
const ROUNDS_OF_A_WORLD = 12

/** Number of the service's last lines that are printed with a round that fails. */
const LAST_LINES = 20

/**
 * Runs rounds of writes in which a process is killed or a part breaks, each with a check of everything that was
 * acknowledged.
 */
export class Kills implements Trial {
  readonly #site: Site
  readonly #folder: string
  #world: World | null = null
  #rounds = 0
  #worlds = 0
  #kills = 0
  #acknowledged = 0
  readonly #struck = new Map<string, number>()

  /**
   * Makes the trial.
   * @param folder folder for the journals
   */
  constructor(site: Site, folder: string) {
    this.#site = site
    this.#folder = folder
  }

  async round(seed: number): Promise<void> {
    const random = randomSource(seed)
    const world = await this.#worldFor(seed)
    const possible = STRIKES.filter(({ isPossible }) => isPossible(this.#site, world))
    const strike = possible[Math.floor(random() * possible.length)]
    world.journal.note({ round: seed, strike: strike.name })
    const before = world.acknowledged
    try {
      await strike.run(world, random, this.#site)
      await world.check()
    } catch (error) {
      const said = world.service.output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')
      const where = `what was acknowledged is in ${world.journal.path}`
      throw new Error(`${strike.name}; ${where}; the service's last lines:\n${said}`, { cause: error })
    }
    this.#kills += strike.kills
    this.#acknowledged += world.acknowledged - before
    this.#struck.set(strike.name, (this.#struck.get(strike.name) ?? 0) + 1)
  }

  get figures(): string {
    const struck = [...this.#struck].map(([name, times]) => `${times} × ${name}`).join(', ')
    return `${this.#kills} kills, ${this.#acknowledged} acknowledged writes, nothing lost (${struck})`
  }

  async end(): Promise<void> {
    await this.#endWorld()
    await this.#site.close()
  }

  async #endWorld(): Promise<void> {
    await this.#world?.end()
    this.#world = null
  }

  async #worldFor(seed: number): Promise<World> {
    if (this.#rounds++ % ROUNDS_OF_A_WORLD === 0) await this.#endWorld()
    if (this.#world !== null) return this.#world
    const place = await this.#site.newPlace()
    const journal = new Journal(join(this.#folder, `${this.#site.isPostgres ? 'postgresql' : 'sqlite'}-${seed}.jsonl`))
    this.#world = await World.begin(place, journal, {
      // Every other installation has its vectors from a provider, over HTTP.
      ...(this.#worlds++ % 2 === 0 ? {} : this.#site.provider.settings('model-a')),
      ...this.#site.disk?.settings(place.options.dataDir),
    })
    return this.#world
  }
}
