/** Moves what searches read of one index to files and back. */
import type { Pause } from '../../../platform/threads/slices.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { Segment } from '../columns/segment.ts'
import type { VectorColumn } from '../columns/vector-column.ts'

/** A larger index is not laid out: reading more than this at once would hold up others. */
const PAGE_BYTES_MAX = 2 ** 22
/** What a smaller one leaves in memory is more than what would go. */
const PAGE_BYTES_MIN = 2 ** 17
/** Documents of the open segment wait for more of them before they are laid out, up to this share of all. */
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

  /** The first column whose original vectors can go to a file; null when there is none. */
  get movable(): VectorColumn | null {
    return this.#index.segments.find(({ closed, vectors }) => closed && vectors?.isMovable === true)?.vectors ?? null
  }

  /** Whether there is something to lay out, in an index whose size makes it worth that. */
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

  /** Bytes that `pageIn` brings back; 0 while all is in memory. */
  get pagedOutBytes(): number {
    return this.#sum(({ pages }) => pages.isPagedOut)
  }

  /** Bytes in files of what can be paged out, whether it is also in memory or not. */
  get laidOutBytes(): number {
    return this.#sum(({ pages }) => pages.isLaidOut)
  }

  /** Closes the open segment if it holds enough to be laid out. */
  closeLarge(): void {
    if (this.#isOpenLarge) this.#index.closeOpenSegment()
  }

  /**
   * Lays out the closed segments. Compaction must wait.
   * @returns false when one cannot be; see `SegmentPages.layOut`
   * @throws IndexFileLost, and what `pause` throws
   */
  async layOut(files: IndexFiles, pause: Pause): Promise<boolean> {
    for (const { pages } of this.#index.segments.filter(({ closed }) => closed)) {
      if (!(await pages.layOut(files, pause))) return false
    }
    return true
  }

  /** Frees the memory of what is laid out. The index must be paged in before it is searched, saved or compacted. */
  pageOut(): void {
    for (const { pages } of this.#index.segments) if (pages.isLaidOut) pages.pageOut()
  }

  /** @throws IndexFileLost, ArenaFull; call it again then */
  pageIn(): void {
    for (const { pages } of this.#index.segments) pages.pageIn()
  }

  get #isOpenLarge(): boolean {
    const { segments, documents } = this.#index
    return segments.at(-1)!.slots > OPEN_SHARE * documents
  }

  #sum(counts: (segment: Segment) => boolean): number {
    return this.#index.segments.reduce((sum, segment) => sum + (counts(segment) ? segment.pages.bytes : 0), 0)
  }
}
