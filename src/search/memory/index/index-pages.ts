/** Moves the segments of one index to files and back (`segment-pages.ts`). */
import type { Pause } from '../../../platform/threads/slices.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { Segment } from '../columns/segment.ts'
import type { VectorColumn } from '../columns/vector-column.ts'

/** Most bytes of an index that is laid out, since reading more at once would hold up others. */
const PAGE_BYTES_MAX = 2 ** 22
/** Least bytes of an index that is laid out, since a smaller one would leave more in memory than it gives back. */
const PAGE_BYTES_MIN = 2 ** 17
/** Share of all documents that the open segment must exceed before it is closed to be laid out. */
const OPEN_SHARE = 0.25

/** The index whose segments move. */
export interface Paged {
  /** The open segment is the last one. */
  readonly segments: readonly Segment[]
  readonly documents: number
  readonly freed: boolean
  closeOpenSegment(): void
}

export class IndexPages {
  readonly #index: Paged

  constructor(index: Paged) {
    this.#index = index
  }

  /** The first column whose original vectors can move to a file; null without one. */
  get movable(): VectorColumn | null {
    return this.#index.segments.find(({ closed, vectors }) => closed && vectors?.isMovable === true)?.vectors ?? null
  }

  /** Whether the index has something to lay out, and a size that makes it worth the writing. */
  get canLayOut(): boolean {
    const { freed, segments } = this.#index
    if (freed) return false
    if (!this.#isOpenLarge && segments.every(({ closed, pages }) => !closed || pages.isLaidOut)) return false
    const bytes = this.#sum(() => true)
    return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX
  }

  /** Whether paging the index out would give memory back. */
  get canPageOut(): boolean {
    return this.#index.segments.some(({ pages }) => pages.isLaidOut && !pages.isPagedOut)
  }

  /** Bytes that `pageIn` brings back; 0 while the whole index is in memory. */
  get pagedOutBytes(): number {
    return this.#sum(({ pages }) => pages.isPagedOut)
  }

  /** Bytes of segments in files, whether they are also in memory or not. */
  get laidOutBytes(): number {
    return this.#sum(({ pages }) => pages.isLaidOut)
  }

  /** Closes the open segment if it has enough documents to be laid out. */
  closeLarge(): void {
    if (this.#isOpenLarge) this.#index.closeOpenSegment()
  }

  /**
   * Lays out the closed segments. No compaction may run meanwhile.
   * @returns false when a segment cannot be laid out; see `SegmentPages.layOut`
   * @throws IndexFileLost, and what `pause` throws
   */
  async layOut(files: IndexFiles, pause: Pause): Promise<boolean> {
    for (const { pages } of this.#index.segments.filter(({ closed }) => closed)) {
      if (!(await pages.layOut(files, pause))) return false
    }
    return true
  }

  /** Frees the memory of laid-out segments. Call `pageIn` before the index is searched, saved or compacted. */
  pageOut(): void {
    for (const { pages } of this.#index.segments) if (pages.isLaidOut) pages.pageOut()
  }

  /**
   * Brings all segments back to memory.
   * @throws IndexFileLost, ArenaFull; then some are back, and it may be called again
   */
  pageIn(): void {
    for (const { pages } of this.#index.segments) pages.pageIn()
  }

  get #isOpenLarge(): boolean {
    const { segments, documents } = this.#index
    return segments.at(-1)!.slots > OPEN_SHARE * documents
  }

  /** Returns the bytes of the segments that count. */
  #sum(counts: (segment: Segment) => boolean): number {
    return this.#index.segments.reduce((sum, segment) => sum + (counts(segment) ? segment.pages.bytes : 0), 0)
  }
}
