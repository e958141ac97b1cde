/** Keeps indexes on disk, so that a restart reads them instead of building them. */
import type { Pause } from '../../../../platform/threads/slices.ts'
import { type IndexDefinition, type IndexSource, type IndexVersion, LEFT_OUT_NAMED_MAX } from '../../../engine.ts'
import type { MemorySize } from '../../columns/memory-size.ts'
import type { IndexFiles } from '../../columns/index-files.ts'
import type { IndexEvent } from '../index-event.ts'
import type { TenantIndex } from '../tenant-index.ts'
import type { TextAnalyser } from '../../../indexing/text-analyser.ts'
import type { VectorMemory } from '../../columns/vector-column.ts'
import { SnapshotDamaged, SnapshotReader, SnapshotWriter } from '../../columns/checked-stream.ts'
import { loadIndex, readIdentity, saveIndex, type SnapshotIdentity } from './index-snapshot.ts'
import type { OpenSnapshot, SnapshotFiles } from './snapshot-files.ts'
import { snapshotForm } from './snapshot-form.ts'

/** Rules for when a snapshot is due. */
export interface SnapshotPolicy {
  /** Least documents of an index with a snapshot. A smaller index is built as fast as it is read. */
  readonly documentsMin: number
  /** Milliseconds without a change after which an index counts as quiet. */
  readonly quietMs: number
  /** Milliseconds between two snapshots of an index that changes little, or is never quiet. */
  readonly seldomMs: number
  /** Milliseconds between two snapshots of a quiet index that has changed a lot. */
  readonly oftenMs: number
  /** Changes that are a lot, as a share of the documents: reading them again would take long. */
  readonly changedShare: number
}

const POLICY: SnapshotPolicy = {
  documentsMin: 200,
  quietMs: 3_000,
  seldomMs: 10 * 60_000,
  oftenMs: 60_000,
  changedShare: 0.005,
}

/** The changes of an index since its snapshot; times in milliseconds on one clock. */
interface Unsaved {
  readonly documents: number
  readonly changes: number
  readonly changedAt: number
  readonly isSaved: boolean
  /** When the index was saved; before that, when the index was made. */
  readonly savedAt: number
}

/** Tells whether the snapshot of an index is due. */
export function isSnapshotDue(unsaved: Unsaved, now: number, policy: SnapshotPolicy): boolean {
  const { documents, changes, changedAt, isSaved, savedAt } = unsaved
  if (changes === 0 || documents < policy.documentsMin) return false
  const age = now - savedAt
  if (age >= policy.seldomMs) return true
  const areMany = age >= policy.oftenMs && changes >= policy.changedShare * documents
  return now - changedAt >= policy.quietMs && (areMany || !isSaved)
}

/** Ends the reading or writing of an index that was dropped. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

interface SnapshotOptions {
  readonly files: SnapshotFiles
  /** Returns the form of snapshots of an index; by default that of this program. */
  readonly formOf?: (definition: IndexDefinition) => string
  readonly policy?: SnapshotPolicy
  /** Called when a file cannot be written or read. */
  readonly onFailure?: (error: Error) => void
  readonly onEvent?: (event: IndexEvent) => void
}

/**
 * Writes and reads the snapshots of one thread. Failures of files are reported, and no method rejects because of them.
 */
export class Snapshots {
  readonly policy: SnapshotPolicy
  readonly #files: SnapshotFiles
  readonly #formOf: (definition: IndexDefinition) => string
  readonly #onFailure: (error: Error) => void
  readonly #onEvent: (event: IndexEvent) => void

  constructor({ files, formOf = snapshotForm, policy = POLICY, onFailure, onEvent }: SnapshotOptions) {
    this.#files = files
    this.#formOf = formOf
    this.policy = policy
    this.#onFailure = onFailure ?? (() => undefined)
    this.#onEvent = onEvent ?? (() => undefined)
  }

  /**
   * Reads an index from its snapshot. Returns null when there is no usable snapshot; a useless one is deleted, but for
   * one of another form: the snapshot of the index that is built in its stead replaces it.
   * @param admits receives the size of the index before it is read, and may throw; returns files for original vectors,
   *   or null for memory
   * @throws what `pause` and `admits` throw, ArenaFull, IndexFileLost
   */
  async load(
    version: IndexVersion,
    source: IndexSource,
    { memory, analyser }: { readonly memory: VectorMemory; readonly analyser: TextAnalyser },
    pause: Pause,
    admits: (size: MemorySize & Pick<SnapshotIdentity, 'fileBytes'>) => IndexFiles | null,
  ): Promise<TenantIndex | null> {
    const { tenantId, index } = version
    const snapshot = await this.#attempt(() => this.#files.open(tenantId, index))
    if (snapshot === null || snapshot === undefined) return null
    let isOfUse = true
    try {
      const reader = new SnapshotReader(snapshot.read, snapshot.bytes, pause)
      const identity = await readIdentity(reader)
      isOfUse = await this.#isOfUse(identity, version, source)
      if (!isOfUse || this.#isOfOtherForm(identity, source)) return null
      const files = admits(identity)
      return await loadIndex(reader, source.definition, memory, analyser, pause, files)
    } catch (error) {
      if (!(error instanceof SnapshotDamaged)) throw error
      isOfUse = false
      this.#onFailure(error)
      return null
    } finally {
      await snapshot.close()
      if (!isOfUse) await this.discard(tenantId, index)
    }
  }

  /**
   * Writes the present state of an index. Searches and changes go on meanwhile; no compaction may run.
   * @param pause throws Abandoned when the index is freed
   * @returns false if the writing failed and is worth another try
   */
  async save(
    { tenantId, index, model }: IndexVersion,
    { history, definition }: IndexSource,
    tenantIndex: TenantIndex,
    pause: Pause,
  ): Promise<boolean> {
    if (history === undefined || tenantIndex.size.bytes > this.#files.bytesMax) return true
    const isWritten = await this.#attempt(async () => {
      const form = this.#formOf(definition)
      const capture = tenantIndex.capture()
      try {
        // Made after the capture, so that the mark is younger than every change in the index.
        const mark = await history.mark(tenantId, capture.reached)
        for (const { segment } of capture.segments) {
          await pause()
          await segment.freeze(pause)
        }
        const { fileBytes } = tenantIndex
        const newest = tenantIndex.newestLeftOut(LEFT_OUT_NAMED_MAX).map(({ id, owner }) => ({ id, owner }))
        const leftOut = { count: tenantIndex.leftOut, newest }
        const identity = { tenantId, index, model, form, mark, ...tenantIndex.size, fileBytes, leftOut }
        await this.#files.write(tenantId, index, async (append) => {
          const writer = new SnapshotWriter(append, pause)
          await saveIndex(writer, identity, capture)
        })
      } finally {
        tenantIndex.endCapture(capture)
      }
      this.#onEvent({ kind: 'saved' })
      return true
    })
    return isWritten ?? false
  }

  /**
   * Yields the snapshots of the present history, the most recently used first, and deletes the others. Those of another
   * form cannot be read, but tell which indexes were used last.
   */
  async *list(
    sources: ReadonlyMap<string, IndexSource>,
  ): AsyncGenerator<SnapshotIdentity & { readonly isReadable: boolean }> {
    await this.#attempt(() => this.#files.removeDrafts(Date.now()))
    const all = this.#files.all()
    for (;;) {
      const next = await this.#attempt(() => all.next())
      if (next === undefined || next.done === true) return
      const identity = await this.#identityOf(next.value)
      const source = identity === null ? undefined : sources.get(identity.index)
      if (identity === null || source === undefined) continue
      const isOfUse = await this.#attempt(() => this.#isOfUse(identity, identity, source))
      // The database cannot be asked now.
      if (isOfUse === undefined) return
      if (isOfUse) yield { ...identity, isReadable: !this.#isOfOtherForm(identity, source) }
      else await this.discard(identity.tenantId, identity.index)
    }
  }

  /** Deletes the snapshot of an index if it has another form, and so cannot be read. */
  async discardUnreadable(tenantId: string, index: string, source: IndexSource): Promise<void> {
    const snapshot = await this.#attempt(() => this.#files.open(tenantId, index))
    if (snapshot === null || snapshot === undefined) return
    const identity = await this.#identityOf(snapshot)
    if (identity === null || this.#isOfOtherForm(identity, source)) await this.discard(tenantId, index)
  }

  /** Marks a snapshot as used, so that others are deleted before it. */
  async touch({ tenantId, index }: IndexVersion): Promise<void> {
    await this.#attempt(() => this.#files.touch(tenantId, index))
  }

  /** Deletes a tenant's snapshots. */
  async remove(tenantId: string): Promise<void> {
    await this.#attempt(() => this.#files.remove(tenantId))
  }

  /** Deletes a useless snapshot and reports that. */
  async discard(tenantId: string, index: string): Promise<void> {
    this.#onEvent({ kind: 'discarded' })
    await this.#attempt(() => this.#files.remove(tenantId, index))
  }

  #isOfOtherForm({ form }: SnapshotIdentity, { definition }: IndexSource): boolean {
    return form !== this.#formOf(definition)
  }

  /** Tells whether a snapshot is of this version and the present history of the source. */
  async #isOfUse(
    { tenantId, index, model, mark }: SnapshotIdentity,
    version: Pick<IndexVersion, 'tenantId' | 'index' | 'model'>,
    { history }: IndexSource,
  ): Promise<boolean> {
    if (history === undefined) return false
    if (tenantId !== version.tenantId || index !== version.index || model !== version.model) return false
    return history.contains(tenantId, mark)
  }

  /** Reads the identity of a snapshot and closes the file. Returns null for a damaged one. */
  async #identityOf(snapshot: OpenSnapshot): Promise<SnapshotIdentity | null> {
    try {
      return await readIdentity(new SnapshotReader(snapshot.read, snapshot.bytes))
    } catch {
      // Such a snapshot is deleted when its tenant is searched, or when others need the room.
      return null
    } finally {
      await snapshot.close()
    }
  }

  /** Does work and reports its failure, which is no failure of the caller: without snapshots indexes are built. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#onFailure(error as Error)
      return undefined
    }
  }
}
