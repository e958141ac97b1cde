/**
 * Brings replicas up to the watermarks of their searches: values first, then texts. A replica that is new reads whole
 * documents.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import { pauseOf } from '../../platform/threads/slices.ts'
import { drainInSlices } from '../../platform/threads/steps.ts'
import {
  EngineUnavailable,
  IndexBuilding,
  type IndexChange,
  type IndexSource,
  type IndexVersion,
  type ValueChange,
} from '../engine.ts'
import { byteParts } from '../indexing/byte-parts.ts'
import { BATCH_BYTES_MAX, TEXT_BATCH } from '../indexing/change-batches.ts'
import { idOfChange } from '../indexing/change-ids.ts'
import { preparing } from '../indexing/prepared-document.ts'
import type { TextAnalyser } from '../indexing/text-analyser.ts'
import { firstAwaited } from './awaited-store.ts'
import { applyChanges, applyTexts, applyValues, forgetTexts, type Mark, type ReplicaChange } from './changes-store.ts'
import { createReplica, dropReplicas, finishBuild } from './replica-store.ts'
import { findState, type ReplicaState } from './state-store.ts'
import { tablesOf } from './tables-store.ts'

/** Milliseconds between two attempts to change a replica that another process changes. */
export const BUSY_MS = 20
/** Batches of texts, one after the other, of which none could be stored since others changed the same documents. */
const FAILURES_MAX = 10
/** Longest time after which a client is asked to try again. */
const RETRY_MAX_MS = 60_000
/** Largest share of a build that counts as done before its indexes are made, which takes an unknown time. */
const NEARLY_DONE = 0.99

/** The progress of a build in this process. */
interface Building {
  /** Share that is done, from 0 to 1. */
  done: number
  /** Share that was done when this process began. */
  readonly from: number
  /** When this process began. */
  readonly began: number
}

export interface CatchUpOptions {
  readonly database: Database
  readonly sources: ReadonlyMap<string, IndexSource>
  readonly analyser: TextAnalyser
  /** Returns the state of a replica; null without one. */
  readonly stateOf: (version: IndexVersion) => Promise<ReplicaState | null>
  /** Called when a replica is whole. */
  readonly onBuilt: (version: IndexVersion) => void
}

export class CatchUp {
  readonly #options: CatchUpOptions
  /** By kind and replica, the run that this process has begun. */
  readonly #runs = new Map<string, Promise<void>>()
  readonly #buildings = new Map<string, Building>()

  constructor(options: CatchUpOptions) {
    this.#options = options
  }

  /**
   * Starts to build a replica, unless that runs.
   * @returns the run. @throws EngineUnavailable
   */
  build(version: IndexVersion): Promise<void> {
    return this.#start('build', version, () =>
      this.#build(version).finally(() => this.#buildings.delete(tablesOf(version).name)),
    )
  }

  /**
   * Starts to bring the values of a whole replica up to date, unless that runs.
   * @returns the run. @throws EngineUnavailable
   */
  freshen(version: IndexVersion): Promise<void> {
    return this.#start('values', version, async () => {
      if (!(await this.#applyValues(version))) await sleep(BUSY_MS)
    })
  }

  /**
   * Starts to read the texts that a replica awaits, unless that runs.
   * @param batchesMax bound on the batches that the run reads; by default it reads all texts
   * @returns the run. @throws EngineUnavailable
   */
  readTexts(version: IndexVersion, batchesMax = Infinity): Promise<void> {
    return this.#start('texts', version, () => this.#applyTexts(version, batchesMax))
  }

  /** Tells whether this process reads texts of a replica. */
  isReadingTexts(version: IndexVersion): boolean {
    return this.#runs.has(keyOf('texts', version))
  }

  /**
   * Returns the share of a replica that is done, from 0 to 1; undefined unless this process builds it.
   * @param name of the replica's tables
   */
  shareOf(name: string): number | undefined {
    return this.#buildings.get(name)?.done
  }

  /**
   * Returns the error of a search whose replica is being built.
   * @param state of the replica, of which another process may be the builder
   */
  buildingError(version: IndexVersion, state: ReplicaState | null): IndexBuilding {
    const building = this.#buildings.get(tablesOf(version).name)
    const { done, from, began } = building ?? buildingFrom(state?.reached ?? 0, version.watermark)
    const isPaceKnown = done > from && done < NEARLY_DONE
    const leftMs = isPaceKnown ? ((performance.now() - began) / (done - from)) * (1 - done) : RETRY_MAX_MS
    return new IndexBuilding(Math.floor(done * 100), Math.min(RETRY_MAX_MS, leftMs))
  }

  #sourceOf({ index }: IndexVersion): IndexSource {
    return this.#options.sources.get(index)!
  }

  #start(kind: string, version: IndexVersion, work: () => Promise<void>): Promise<void> {
    const key = keyOf(kind, version)
    const running = this.#runs.get(key)
    if (running !== undefined) return running
    const ended = work()
      .catch((cause: unknown) => {
        throw new EngineUnavailable(`the search replica cannot be brought up to date: ${messageOf(cause)}`, { cause })
      })
      .finally(() => this.#runs.delete(key))
    this.#runs.set(key, ended)
    // Where no search waits any more, a failure is dropped, and the next search meets it again.
    ended.catch(() => undefined)
    return ended
  }

  /**
   * Builds a replica from whole documents up to the watermark. Ends early where another process changes the replica.
   */
  async #build(version: IndexVersion): Promise<void> {
    const { database, stateOf, onBuilt } = this.#options
    const source = this.#sourceOf(version)
    const { definition } = source
    let state = await stateOf(version)
    if (state === null) {
      await createReplica(database, definition, version)
      state = (await findState(database.queries, version))!
    }
    // Another process has built it.
    if (state.isReady) return
    let from = state.reached
    const target = Math.max(version.watermark, from)
    this.#buildings.set(tablesOf(version).name, buildingFrom(from, target))
    let mark: Mark | null = null
    for await (const batch of source.changes(version, from)) {
      const last = batch.at(-1)?.seq ?? 0
      // The source may have more changes with the last number, and beyond the target it may not have listed all of
      // them.
      const to = Math.max(from, Math.min(target, last - 1))
      const changes = await this.#analysed(definition, batch, version.tenantId)
      mark = await this.#markOf(version, last)
      if (!(await applyChanges(database, definition, version, changes, { from, to, mark }))) return sleep(BUSY_MS)
      from = to
      const building = this.#buildings.get(tablesOf(version).name)
      if (building !== undefined && target > 0) building.done = Math.min(NEARLY_DONE, last / target)
    }
    if (from < target) {
      mark ??= await this.#markOf(version, target)
      const step = { from, to: target, mark }
      if (!(await applyChanges(database, definition, version, [], step))) return sleep(BUSY_MS)
    }
    if (!(await finishBuild(database, version, target))) return sleep(BUSY_MS)
    onBuilt(version)
    await dropReplicas(database, version.tenantId, version)
  }

  /**
   * Applies the changes of values up to the watermark, and all that are there beyond it. Nothing is reached before the
   * last batch, since a document that changed twice is listed under its later number only.
   * @returns false when another process has moved the replica on, or it is gone
   */
  async #applyValues(version: IndexVersion): Promise<boolean> {
    const { database, stateOf } = this.#options
    const { definition, values } = this.#sourceOf(version)
    const state = await stateOf(version)
    if (state === null || !state.isReady) return false
    const from = state.valuesReached
    let last = Math.max(version.watermark, from)
    const store = async (batch: readonly ValueChange[], isLast: boolean): Promise<boolean> => {
      last = Math.max(last, batch.at(-1)?.seq ?? 0)
      const mark = await this.#markOf(version, last)
      return applyValues(database, definition, version, batch, { from, to: isLast ? last : null, mark })
    }
    let previous: readonly ValueChange[] = []
    for await (const batch of values.changes(version, from)) {
      if (previous.length > 0 && !(await store(previous, false))) return false
      previous = batch
    }
    return store(previous, true)
  }

  /** Reads and stores the texts that the replica awaits, the longest waiting first, in at most `batchesMax` batches. */
  async #applyTexts(version: IndexVersion, batchesMax: number): Promise<void> {
    const { database } = this.#options
    const { definition, values } = this.#sourceOf(version)
    const tables = tablesOf(version)
    // Documents that changed while a batch was read. Read alone, they hardly change again meanwhile.
    let again: ReadonlySet<string> = new Set()
    for (let failures = 0, batches = 0; failures < FAILURES_MAX && batches < batchesMax; batches++) {
      const waiting = await firstAwaited(database.queries, tables, TEXT_BATCH)
      const outdated = waiting.filter(({ id }) => again.has(id))
      const listed = outdated.length > 0 ? outdated : waiting
      if (listed.length === 0) {
        // Nothing is due here, but a search that sees the replica behind would ask again at once.
        if (batches === 0) await sleep(BUSY_MS)
        return
      }
      const [batch] = byteParts(listed, BATCH_BYTES_MAX)
      const ids = batch.map(({ id }) => id)
      const read = await values.documents(version, ids, Number.MAX_SAFE_INTEGER)
      const changes = await this.#analysed(definition, read, version.tenantId)
      const mark = await this.#markOf(version, Math.max(0, ...read.map(({ seq }) => seq)))
      const stored = changes.length === 0 ? null : await applyTexts(database, definition, version, changes, mark)
      again = new Set(outdated.length > 0 ? [] : stored?.outdated)
      const present = new Set(read.map(idOfChange))
      const missing = batch.filter(({ id }) => !present.has(id))
      // Documents that are missing are gone. The changes of values, which a new pass reads, say so; after it, a
      // document that is awaited still has left no trace.
      const canForget = missing.length > 0 && (await this.#applyValues(version))
      if (canForget) await forgetTexts(database, version, missing)
      const hasProgress = canForget || (stored?.count ?? 0) > 0
      failures = hasProgress ? 0 : failures + 1
      if (!hasProgress) await sleep(BUSY_MS)
    }
  }

  async #markOf(version: IndexVersion, last: number): Promise<Mark> {
    return { last, text: (await this.#sourceOf(version).history?.mark(version.tenantId, last)) ?? null }
  }

  /** Analyses the documents of a batch. */
  async #analysed(
    definition: IndexSource['definition'],
    batch: readonly IndexChange[],
    tenantId: string,
  ): Promise<ReplicaChange[]> {
    const changes: ReplicaChange[] = []
    for (const change of batch) {
      if ('put' in change) {
        const steps = preparing(definition, change.put, this.#options.analyser)
        const put = await drainInSlices(steps, pauseOf(tenantId))
        changes.push({ seq: change.seq, textSeq: change.textSeq ?? change.seq, put })
      } else {
        const isUnreadable = 'unreadable' in change
        changes.push({ seq: change.seq, remove: isUnreadable ? change.unreadable : change.remove, isUnreadable })
      }
    }
    return changes
  }
}

function keyOf(kind: string, version: IndexVersion): string {
  return `${kind} ${tablesOf(version).name}`
}

function buildingFrom(reached: number, target: number): Building {
  const done = target === 0 ? 0 : Math.min(NEARLY_DONE, reached / target)
  return { done, from: done, began: performance.now() }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
