import type { Caller } from '../../../platform/access/caller.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { ProductSyncRunRow } from '../../../platform/database/tables.ts'
import type { FaultDetail } from '../../../platform/faults.ts'
import { newId } from '../../../platform/ids.ts'
import { sayRefusal } from '../bulk/full-sync-words.ts'
import type { SyncOutcome } from '../bulk/full-sync.ts'
import type { ProductOutcome } from '../write.ts'
import { type FailedLine, KEPT_FAILURES_MAX } from './contract.ts'
import { forgetOldRuns, putRun } from './sync-run-store.ts'

/** Runs of each kind that a site keeps, so that many small pushes do not replace the nightly full sync. */
const KEPT_RUNS = 500
/** Most characters of a recorded text: a fault may quote a long value of the feed. */
const TEXT_CHARACTERS_MAX = 300

/** Record of one push, with its counts and first failed lines. A dry run has none, because it changes nothing. */
export class RunRecord {
  readonly #database: Database
  readonly #row: ProductSyncRunRow
  readonly #failures: FailedLine[] = []
  #isStored = false

  constructor(database: Database, caller: Caller, target: { siteId: string; source: string; isFull: boolean }) {
    const now = Date.now()
    this.#database = database
    this.#row = {
      tenant_id: caller.tenant.id,
      id: newId(),
      site_id: target.siteId,
      source: target.source,
      is_full: Number(target.isFull),
      started_at: now,
      seen_at: now,
      status: 'running',
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 0,
      retired: 0,
      not_retired: 0,
      refusal: null,
      reason: null,
      failures: '[]',
      channel: caller.audit.source,
      credential_kind: caller.credentialKind,
      credential_id: caller.credentialId,
      user_id: caller.userId,
    }
  }

  /**
   * Stores the run with the counts of a batch, within the transaction of the batch. The record itself must not count
   * the batch yet, since the database may repeat the transaction.
   * @returns a function that counts the batch; call it once the transaction is done
   */
  async store(tx: Tx, outcomes: readonly ProductOutcome[]): Promise<() => void> {
    const batch = { created: 0, updated: 0, unchanged: 0 }
    for (const { status } of outcomes) if (status !== 'failed') batch[status]++
    const row = this.#row
    const counts = {
      created: row.created + batch.created,
      updated: row.updated + batch.updated,
      unchanged: row.unchanged + batch.unchanged,
      seen_at: Date.now(),
    }
    await putRun(tx, { ...row, ...counts, failures: JSON.stringify(this.#failures) })
    return () => {
      Object.assign(row, counts)
      this.#isStored = true
    }
  }

  /** Counts a refused line. @param details faults of the line; empty when they are unknown */
  refused(line: number, externalId: string | null, details: readonly FaultDetail[]): void {
    this.#row.failed++
    if (this.#failures.length >= KEPT_FAILURES_MAX) return
    const [{ loc, msg, type } = { loc: [], msg: '', type: 'unknown' }] = details
    this.#failures.push({
      line,
      external_id: externalId === null ? null : externalId.slice(0, TEXT_CHARACTERS_MAX),
      field: loc.slice(1).join('.').slice(0, TEXT_CHARACTERS_MAX),
      type,
      message: msg.slice(0, TEXT_CHARACTERS_MAX),
    })
  }

  /** Ends a push that read its feed to the end. @param outcome outcome of its full sync; null for a delta */
  async finish(outcome: SyncOutcome | null): Promise<void> {
    if (outcome !== null) {
      const { retired, unnamed, refusal } = outcome
      const reason = sayRefusal(outcome, { option: 'max_retired=' })
      Object.assign(this.#row, { retired, not_retired: unnamed - retired, refusal, reason })
    }
    await this.#end('finished')
  }

  /** Ends a push that was not read to its end. @param reason sentence for people, if most lines failed; else null */
  async breakOff(reason: string | null = null): Promise<void> {
    if (reason !== null) Object.assign(this.#row, { refusal: 'useless', reason })
    await this.#end('broken_off')
  }

  async #end(status: 'finished' | 'broken_off'): Promise<void> {
    const row = this.#row
    // A push without a line is not worth a record, unless it was a full sync: its feed is probably broken.
    if (!this.#isStored && row.failed === 0 && row.is_full === 0) return
    Object.assign(row, { status, seen_at: Date.now(), failures: JSON.stringify(this.#failures) })
    await this.#database.write(async (tx) => {
      await putRun(tx, row)
      await forgetOldRuns(tx, row, KEPT_RUNS)
    }, row.tenant_id)
  }
}
