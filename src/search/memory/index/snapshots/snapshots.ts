/** Keeps indexes on disk, so that a restart reads them instead of building them again. */
import type { Pause } from '../../../../platform/threads/slices.ts'
import type { IndexSource, IndexVersion } from '../../../engine.ts'
import type { MemorySize } from '../../columns/memory-size.ts'
import type { IndexFiles } from '../../columns/index-files.ts'
import type { IndexEvent } from '../index-event.ts'
import type { TenantIndex } from '../tenant-index.ts'
import type { TextAnalyser } from '../../../indexing/text-analyser.ts'
import type { VectorMemory } from '../../columns/vector-column.ts'
import { SnapshotDamaged, SnapshotReader, SnapshotWriter } from '../../columns/checked-stream.ts'
import { loadIndex, readIdentity, saveIndex, type SnapshotIdentity } from './index-snapshot.ts'
import type { OpenSnapshot, SnapshotFiles } from './snapshot-files.ts'

/** When a snapshot is written. */
export interface SnapshotPolicy {
  /** A smaller index is built as fast as it is read. */
  readonly documentsMin: number
  /** How long nothing must have changed. */
  readonly quietMs: number
  /** The time between two snapshots of an index that changes little, or all the time. */
  readonly seldomMs: number
  /** The time between two snapshots of an index that has changed a lot and then no more. */
  readonly oftenMs: number
  /** What is a lot, as a share of the documents: reading the changes again would take long. */
  readonly changedShare: number
}

const POLICY: SnapshotPolicy = {
  documentsMin: 200,
  quietMs: 3_000,
  seldomMs: 10 * 60_000,
  oftenMs: 60_000,
  changedShare: 0.005,
}

/** How much an index has changed since its snapshot; times in milliseconds on one clock. */
interface Unsaved {
  readonly documents: number
  readonly changes: number
  readonly changedAt: number
  readonly isSaved: boolean
  /** When it was saved; before that, when it was made. */
  readonly savedAt: number
}

/** Whether it is time to write a snapshot. */
export function isSnapshotDue(unsaved: Unsaved, now: number, policy: SnapshotPolicy): boolean {
  const { documents, changes, changedAt, isSaved, savedAt } = unsaved
  if (changes === 0 || documents < policy.documentsMin) return false
  const age = now - savedAt
  if (age >= policy.seldomMs) return true
  const areMany = age >= policy.oftenMs && changes >= policy.changedShare * documents
  return now - changedAt >= policy.quietMs && (areMany || !isSaved)
}

/** Thrown to end the reading or writing of an index that is not needed any more. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned'
}

interface SnapshotOptions {
  readonly files: SnapshotFiles
  /** A hash of the program that reads and writes. */
  readonly program: () => Promise<string>
  readonly policy?: SnapshotPolicy
  /** Called when a file cannot be written or read. */
  readonly onFailure?: (error: Error) => void
  readonly onEvent?: (event: IndexEvent) => void
}

/** Writes and reads the snapshots of one thread. No method rejects, but for what `pause` throws. */
export class Snapshots {
  readonly policy: SnapshotPolicy
  readonly #files: SnapshotFiles
  readonly #program: () => Promise<string>
  readonly #onFailure: (error: Error) => void
  readonly #onEvent: (event: IndexEvent) => void

  constructor({ files, program, policy = POLICY, onFailure, onEvent }: SnapshotOptions) {
    this.#files = files
    this.#program = program
    this.policy = policy
    this.#onFailure = onFailure ?? (() => undefined)
    this.#onEvent = onEvent ?? (() => undefined)
  }

  /**
   * The index from its snapshot; null when there is none that is of use.
   * @param pause may throw Abandoned
   * @param admits is told what the index will take before it is read, and may throw; says where original vectors go,
   *   null for memory
   */
  async load(
    version: IndexVersion,
    source: IndexSource,
    { memory, analyser }: { readonly memory: VectorMemory; readonly analyser: TextAnalyser },
    pause: Pause,
    admits: (size: MemorySize & Pick<SnapshotIdentity, 'fileBytes'>) => IndexFiles | null,
  ): Promise<TenantIndex | null> {
    const { tenantId, index } = version
    const opened = await this.#attempt(() => this.#files.open(tenantId, index))
    if (opened === null || opened === undefined) return null
    let isOfUse = true
    try {
      const reader = new SnapshotReader(opened.read, opened.bytes, pause)
      const identity = await readIdentity(reader)
      isOfUse = await this.#isOfUse(identity, version, source)
      if (!isOfUse) return null
      const files = admits(identity)
      return await loadIndex(reader, source.definition, memory, analyser, pause, files)
    } catch (error) {
      if (!(error instanceof SnapshotDamaged)) throw error
      isOfUse = false
      this.#onFailure(error)
      return null
    } finally {
      await opened.close()
      if (!isOfUse) await this.discard(tenantId, index)
    }
  }

  /**
   * Writes the index as it is now. Searches and changes go on meanwhile, compaction must not.
   * @param pause throws Abandoned when the index is freed
   * @returns false if that failed and is worth another try
   */
  async save(
    { tenantId, index, model }: IndexVersion,
    { history }: IndexSource,
    saved: TenantIndex,
    pause: Pause,
  ): Promise<boolean> {
    if (history === undefined || saved.size.bytes > this.#files.bytesMax) return true
    const written = await this.#attempt(async () => {
      const program = await this.#program()
      const capture = saved.capture()
      // After the capture: then the mark is younger than every change in the index.
      const mark = await history.mark(tenantId, capture.reached)
      for (const { segment } of capture.segments) {
        await pause()
        await segment.freeze(pause)
      }
      const { fileBytes } = saved
      const identity = { tenantId, index, model, program, mark, ...saved.size, fileBytes }
      await this.#files.write(tenantId, index, async (append) => {
        const writer = new SnapshotWriter(append, pause)
        await saveIndex(writer, identity, capture)
      })
      this.#onEvent({ kind: 'saved' })
      return true
    })
    return written ?? false
  }

  /** What there are snapshots of, those used last first. Deletes those that are of no use. */
  async *usable(sources: ReadonlyMap<string, IndexSource>): AsyncGenerator<SnapshotIdentity> {
    await this.#attempt(() => this.#files.removeDrafts(Date.now()))
    const all = this.#files.all()
    for (;;) {
      const next = await this.#attempt(() => all.next())
      if (next === undefined || next.done === true) return
      const identity = await this.#identityOf(next.value)
      const source = identity === null ? undefined : sources.get(identity.index)
      if (identity === null || source === undefined) continue
      const isOfUse = await this.#attempt(() => this.#isOfUse(identity, identity, source))
      // The database cannot tell now.
      if (isOfUse === undefined) return
      if (isOfUse) yield identity
      else await this.discard(identity.tenantId, identity.index)
    }
  }

  /** Keeps a snapshot from being deleted before those that are used less. */
  async touch({ tenantId, index }: IndexVersion): Promise<void> {
    await this.#attempt(() => this.#files.touch(tenantId, index))
  }

  /** Deletes a tenant's snapshots. */
  async remove(tenantId: string): Promise<void> {
    await this.#attempt(() => this.#files.remove(tenantId))
  }

  /** Deletes a snapshot that is of no use. */
  async discard(tenantId: string, index: string): Promise<void> {
    this.#onEvent({ kind: 'discarded' })
    await this.#attempt(() => this.#files.remove(tenantId, index))
  }

  async #isOfUse(
    { tenantId, index, model, program, mark }: SnapshotIdentity,
    version: Pick<IndexVersion, 'tenantId' | 'index' | 'model'>,
    { history }: IndexSource,
  ): Promise<boolean> {
    if (history === undefined || program !== (await this.#program())) return false
    if (tenantId !== version.tenantId || index !== version.index || model !== version.model) return false
    return history.contains(tenantId, mark)
  }

  async #identityOf(opened: OpenSnapshot): Promise<SnapshotIdentity | null> {
    try {
      return await readIdentity(new SnapshotReader(opened.read, opened.bytes))
    } catch {
      // It is deleted when its tenant is searched, or by age.
      return null
    } finally {
      await opened.close()
    }
  }

  /** Files are of help only: without them indexes are built. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#onFailure(error as Error)
      return undefined
    }
  }
}
