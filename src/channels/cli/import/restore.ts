import { siteIsUnused } from '../../../shop/products/site-rules.ts'
import { restoreCategory } from '../../../knowledge/categories/restore.ts'
import { restoreCollection } from '../../../knowledge/collections/restore.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { restoreEntry, restoreVersion } from '../../../knowledge/entries/restore.ts'
import { Fault } from '../../../platform/faults.ts'
import type { NdjsonLine } from '../../../platform/lines/ndjson.ts'
import { restoreRule, restoreVocabulary } from '../../../shop/products/merchandising/restore.ts'
import { restoreProduct } from '../../../shop/products/restore.ts'
import { restoreSite } from '../../../shop/sites/restore.ts'
import { restoreTenant, restoreUser } from '../../../composition/restore-tenant.ts'
import { parseSettings } from '../../../identity/tenants/settings.ts'
import { calledHere } from '../called-as.ts'
import type { TenantModels } from '../../../embedding/target-model.ts'
import { modelsInUse } from '../embedding-wait.ts'
import { checkHeader, EXPORT_FORMAT, type ExportHeader, type ExportLine, LINE_CHECKS } from '../export/format.ts'
import { CommandFailed } from '../failure.ts'
import { sayFaults } from '../../import/say-faults.ts'
import { faultsOf, type ImportReport } from './report.ts'

type Outcome = 'created' | 'unchanged'

interface RestoreJob {
  readonly context: { readonly database: Database }
  readonly tenantId: string
  readonly embedders: EmbedderPool
  readonly report: ImportReport
}

/**
 * Restores an export line by line, with the same ids, times, versions and owners. It never changes existing rows, and
 * reports those that differ. So after an interruption the same command goes on.
 */
export class TenantRestore {
  readonly #job: RestoreJob
  readonly #name: string
  /** Ids of users in this database, by their ids in the export, where the two differ. */
  readonly #userIds = new Map<string, string>()
  /** Ids of sites in this database, by their ids in the export, where the two differ. */
  readonly #siteIds = new Map<string, string>()

  private constructor(name: string, job: RestoreJob) {
    this.#name = name
    this.#job = job
  }

  /** @throws CommandFailed when the header is faulty, or its format is newer than this program */
  static async begin(header: unknown, name: string, job: RestoreJob): Promise<TenantRestore> {
    const faults = checkHeader(header)
    if (faults !== null) throw new CommandFailed(`${name}, line 1: ${sayFaults(faults)}`)
    const { format, tenant } = header as ExportHeader
    if (format > EXPORT_FORMAT)
      throw new CommandFailed(`${name} was made by a newer version of this program (format ${format}); use that one.`)
    const settings = JSON.stringify(tenant.settings)
    const { status, settingsKept } = await restoreTenant(job.context.database, job.tenantId, tenant.name, settings)
    await modelsInUse(job.context.database, job.embedders, job.tenantId)
    if (status === 'created') {
      job.report.note(
        `Tenant ${job.tenantId} was created. An export has no keys; issue one with: ` +
          calledHere(`key issue --tenant ${job.tenantId} --name NAME --role admin`),
      )
    } else if (settingsKept !== null) {
      const [here, there] = [parseSettings(settingsKept), parseSettings(settings)].map((value) => JSON.stringify(value))
      if (here !== there) job.report.note(`The tenant keeps its own settings ${here}; the export has ${there}.`)
    }
    return new TenantRestore(name, job)
  }

  async take(lines: readonly NdjsonLine[]): Promise<void> {
    const { context, tenantId, report } = this.#job
    const sound = lines.flatMap((line) => this.#lineOf(line) ?? [])
    if (sound.length === 0) return
    // The results count after the commit, so that a batch that is repeated after a deadlock counts once.
    const outcomes = await context.database.write(async (tx) => {
      const { seq, ...models } = await advanceWatermark(tx, tenantId, sound.length)
      const done: (Outcome | Fault)[] = []
      for (const [i, { value }] of sound.entries()) {
        done.push(await this.#restore(tx, value, seq - sound.length + 1 + i, models))
      }
      return done
    })
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome instanceof Fault) report.fail(`${this.#name}, line ${sound[i].line}`, sayFaults(outcome.details))
      else report.counts[outcome]++
    }
  }

  #lineOf({ line, value, fault }: NdjsonLine): { line: number; value: ExportLine } | null {
    const refuse = (reason: string): null => {
      this.#job.report.fail(`${this.#name}, line ${line}`, reason)
      return null
    }
    if (fault !== undefined) return refuse(sayFaults(fault.details))
    if (line === 1) return null
    const kind = (value as { kind?: unknown } | null)?.kind
    if (typeof kind !== 'string' || !Object.hasOwn(LINE_CHECKS, kind)) return refuse('it is not a line of an export')
    const faults = faultsOf(value, LINE_CHECKS[kind as ExportLine['kind']])
    // The check keeps only fields of the contract, so `kind` is added again.
    return faults === null ? { line, value: { ...(value as object), kind } as ExportLine } : refuse(sayFaults(faults))
  }

  async #restore(tx: Tx, line: ExportLine, seq: number, models: TenantModels): Promise<Outcome | Fault> {
    const { tenantId, embedders, context } = this.#job
    const { portable } = context.database
    try {
      switch (line.kind) {
        case 'workspace':
          return await restoreCollection(tx, tenantId, 'workspaces', line)
        case 'project':
          return await restoreCollection(tx, tenantId, 'projects', line)
        case 'category':
          return await restoreCategory(tx, tenantId, line)
        case 'user': {
          const { status, id } = await restoreUser(tx, tenantId, line)
          if (id !== line.id) this.#userIds.set(line.id, id)
          return status
        }
        case 'site': {
          const { status, id } = await restoreSite(tx, tenantId, line, { siteIsUnused })
          if (id !== line.id) this.#siteIds.set(line.id, id)
          return status
        }
        case 'entry': {
          const sites = line.sites?.map((id) => this.#siteHere(id))
          return await restoreEntry(tx, { tenantId, seq, models, portable, embedders }, { ...this.#owned(line), sites })
        }
        case 'product': {
          const product = { ...line, site_id: this.#siteHere(line.site_id) }
          return await restoreProduct(tx, { tenantId, seq, models, portable, embedders }, product)
        }
        case 'merchandising_rule':
          return await restoreRule(tx, tenantId, seq, { ...line, site_id: this.#siteHere(line.site_id) })
        case 'search_vocabulary':
          return await restoreVocabulary(tx, tenantId, seq, line)
        default:
          return await restoreVersion(tx, tenantId, { ...line, snapshot: this.#owned(line.snapshot) })
      }
    } catch (error) {
      if (error instanceof Fault) return error
      throw error
    }
  }

  #siteHere(id: string): string {
    return this.#siteIds.get(id) ?? id
  }

  #owned<T extends object>(entry: T): T {
    const { created_by_user_id: owner } = entry as { created_by_user_id?: string | null }
    const ownerHere = owner ? this.#userIds.get(owner) : undefined
    return ownerHere === undefined ? entry : { ...entry, created_by_user_id: ownerHere }
  }
}
