import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Provider } from '../embedding/provider.ts'
import type { TestDatabase } from '../support/databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { DUMPABLE_POSTGRES } from '../support/postgres-clients.ts'
import { NEWEST_POSTGRES } from '../support/postgres-versions.ts'
import { administer, urlOf } from '../support/template.ts'
import { FaultyDisk } from './faulty-disk.ts'

const RESUMES_MAX = 200

/** A site for installations: folders, or databases of one PostgreSQL that keeps what it commits. */
export class Site {
  readonly isPostgres: boolean
  /** Version of PostgreSQL; 0 on SQLite. */
  readonly major: number
  /** Library for faults of the disk and the clock of the site's services; null where it cannot be built. */
  readonly disk: FaultyDisk | null
  /** An embedding provider for the site's services. */
  readonly provider: Provider
  readonly #server: PostgresServer | null

  private constructor(server: PostgresServer | null, major: number, disk: FaultyDisk | null, provider: Provider) {
    this.disk = disk
    this.provider = provider
    this.#server = server
    this.isPostgres = server !== null
    this.major = major
  }

  /** Opens a site; on PostgreSQL of the version that this machine can back up, else of the newest. */
  static async open(kind: 'sqlite' | 'postgresql'): Promise<Site> {
    const [disk, provider] = [FaultyDisk.build(), await Provider.start()]
    if (kind === 'sqlite') return new Site(null, 0, disk, provider)
    const major = DUMPABLE_POSTGRES?.major ?? NEWEST_POSTGRES
    return new Site(await startPostgres({ isDurable: true, major }), major, disk, provider)
  }

  /** Makes a place for an installation, without a schema. */
  async newPlace(): Promise<TestDatabase> {
    const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-trial-'))
    const server = this.#server
    const name = `trial_${randomUUID().replaceAll('-', '')}`
    if (server !== null) await administer(server.url, `create database ${name}`)
    return {
      options: { dataDir, databaseUrl: server === null ? null : urlOf(server.url, name) },
      async remove() {
        if (server !== null) await administer(server.url, `drop database if exists ${name} with (force)`)
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }

  async crashPostgres(): Promise<void> {
    this.#server!.crash()
    await this.#resume()
  }

  async restartPostgres(): Promise<void> {
    await this.#server!.halt()
    await this.#resume()
  }

  async close(): Promise<void> {
    await this.#server?.stop()
    await this.provider.stop()
    this.disk?.remove()
  }

  /** Starts PostgreSQL again after a kill. It starts only once the children of the killed process have noticed. */
  async #resume(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#server!.resume()
        return
      } catch (error) {
        if (attempt === RESUMES_MAX) throw new Error('PostgreSQL does not start again', { cause: error })
        await sleep(100)
      }
    }
  }
}
