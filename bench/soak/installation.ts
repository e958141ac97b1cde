import { MALLOC_SETTINGS } from '../../scripts/runtime.mjs'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { OPERATOR_ISSUES } from '../../src/identity/api-keys/rules.ts'
import { ServiceProcess } from '../../test/durability/service-process.ts'
import type { TestDatabase } from '../../test/support/databases.ts'
import { Site } from '../../test/trials/site.ts'
import { memoryMb } from '../support/process-figures.ts'
import { Balancer } from './balancer.ts'

const TENANT = 'soak'
/** Most attempts to start a process. A busy machine may be late with a start once. */
const STARTS_MAX = 4
/** Seconds for which a process serves on after SIGTERM, while load balancers turn away. */
const STOP_DELAY_SECONDS = '2'

export const ADMINISTRATOR = { email: 'soak@soak.example', name: 'Soak', password: 'a password for the soak' }

/** Two processes of the service on one PostgreSQL, with an embedding provider, behind a balancer. */
export class Installation {
  readonly site: Site
  readonly balancer: Balancer
  readonly key: string
  readonly #places: readonly TestDatabase[]
  readonly #services: ServiceProcess[]

  private constructor(
    site: Site,
    places: readonly TestDatabase[],
    services: ServiceProcess[],
    balancer: Balancer,
    key: string,
  ) {
    this.site = site
    this.#places = places
    this.#services = services
    this.balancer = balancer
    this.key = key
    process.once('exit', () => services.forEach(({ child }) => child.kill('SIGKILL')))
  }

  static async open(): Promise<Installation> {
    const site = await Site.open('postgresql')
    const [one, other] = [await site.newPlace(), await site.newPlace()]
    // Both use the database of the first, each with a folder of its own.
    const { databaseUrl } = one.options
    const places = [one, { ...other, options: { ...other.options, databaseUrl } }]
    const services: ServiceProcess[] = []
    for (const place of places) services.push(await startOn(site, place))
    const database = openDatabase(one.options)
    const { key } = await createTenant(database, { id: TENANT, name: TENANT, host: null }, OPERATOR_ISSUES, {
      administrator: ADMINISTRATOR,
      key: { name: 'soak', expiresAt: null },
    })
    await database.close()
    return new Installation(site, places, services, new Balancer(services.map(({ url }) => url)), key!.key)
  }

  get size(): number {
    return this.#services.length
  }

  /** Kills a process with `kill -9`. */
  kill(index: number): Promise<void> {
    return this.#services[index].kill()
  }

  /** Stops a process with SIGTERM, as for an update. */
  async stop(index: number): Promise<void> {
    await this.#services[index].stop()
  }

  async start(index: number): Promise<void> {
    this.#services[index] = await startOn(this.site, this.#places[index])
    this.balancer.move(index, this.#services[index].url)
  }

  signal(index: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#services[index].child.kill(signal)
  }

  /** Waits until every process says that it is ready. */
  async isReady(): Promise<void> {
    while (!this.#services.every((_, i) => this.balancer.isReady(i))) {
      const ended = this.#services.find(({ child }) => child.exitCode !== null || child.signalCode !== null)
      if (ended !== undefined) throw new Error(`A process ended by itself:\n${ended.output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Returns the resident memory of each process in megabytes, without mapped files; 0 for one that is away. */
  memoryMb(): number[] {
    return this.#services.map(({ child }) => {
      try {
        return memoryMb(child.pid!).own || 0
      } catch {
        return 0
      }
    })
  }

  async close(): Promise<void> {
    await this.balancer.close()
    for (const service of this.#services) await service.kill()
    for (const place of this.#places) await place.remove()
    await this.site.close()
  }
}

async function startOn(site: Site, place: TestDatabase): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ServiceProcess.start(place, {
        ...MALLOC_SETTINGS,
        ...site.provider.settings('model-a'),
        ...site.disk?.settings(place.options.dataDir),
        SECRET_KEY: 'the same for both processes of the soak',
        SEARCH_WAIT_SECONDS: '5',
        STOP_DELAY_SECONDS,
      })
    } catch (error) {
      if (attempt === STARTS_MAX) throw error
      process.stderr.write(`A start took too long: ${(error as Error).message}\n`)
    }
  }
}
