/** Moves the terms, keys and vector codes of a closed segment to files and back. */
import type { Pause } from '../../../platform/threads/slices.ts'
import type { IndexFiles } from './index-files.ts'
import { PagedArrays } from './paged-arrays.ts'
import type { Postings } from './postings.ts'
import type { VectorColumn } from './vector-column.ts'

/** The parts of a segment that can leave memory. */
export interface Pageable {
  readonly postings: readonly Postings[]
  readonly vectors: VectorColumn | null
  /** Makes a closed segment smaller; only a frozen one can be laid out. */
  freeze(pause: Pause): Promise<void>
}

/** A segment is *laid out* once files hold its terms, keys and vectors; it is *paged out* while memory does not. */
export class SegmentPages {
  readonly #segment: Pageable
  /** The terms and keys in a file, whether they are also in memory or not; null before the segment is laid out. */
  #postings: PagedArrays | null = null
  #isPagedOut = false
  #isClosed = false

  constructor(segment: Pageable) {
    this.#segment = segment
  }

  /** About how many bytes leave memory when the segment is paged out. */
  get bytes(): number {
    const { postings, vectors } = this.#segment
    const postingsBytes = this.#postings?.bytes ?? postings.reduce((sum, { bytes }) => sum + bytes, 0)
    return postingsBytes + (vectors?.pageBytes ?? 0)
  }

  /** Bytes in memory that paging in took and does not use. */
  get emptyBytes(): number {
    return this.#postings?.emptyBytes ?? 0
  }

  get isLaidOut(): boolean {
    return this.#postings !== null
  }

  get isPagedOut(): boolean {
    return this.#isPagedOut
  }

  /**
   * Writes the segment to files, so that it can leave memory and come back quickly. Searches go on meanwhile. The
   * original vectors leave memory for good.
   * @returns false when there is no room on disk, the segment is freed meanwhile, or cannot be frozen
   * @throws IndexFileLost, and what `pause` throws
   */
  async layOut(files: IndexFiles, pause: Pause): Promise<boolean> {
    if (this.#postings !== null) return true
    await this.#segment.freeze(pause)
    const { postings, vectors } = this.#segment
    const arrays = postings.map((each) => each.arrays)
    if (arrays.includes(null)) return false
    if (vectors !== null && !(await vectors.layOut(files, pause))) return false
    const paged = await PagedArrays.write(
      arrays.flatMap((each) => each!),
      files,
    )
    if (paged === null) return false
    if (this.#isClosed) {
      paged.close()
      return false
    }
    this.#postings = paged
    return true
  }

  /** Frees the memory of a segment that is laid out. Call `pageIn` before the segment is read. */
  pageOut(): void {
    if (this.#isPagedOut) return
    const { postings, vectors } = this.#segment
    for (const each of postings) each.pageOut()
    this.#postings!.pageOut()
    vectors?.pageOut()
    this.#isPagedOut = true
  }

  /** Brings a segment back to memory. @throws IndexFileLost, ArenaFull; then nothing is changed */
  pageIn(): void {
    if (!this.#isPagedOut) return
    const { postings, vectors } = this.#segment
    const arrays = this.#postings!.pageIn()
    try {
      vectors?.pageIn()
    } catch (error) {
      this.#postings!.pageOut()
      throw error
    }
    const each = arrays.length / postings.length
    for (const [i, part] of postings.entries()) part.pageIn(arrays.slice(i * each, (i + 1) * each))
    this.#isPagedOut = false
  }

  /** Gives the room in files back. Call it when the segment is freed. */
  close(): void {
    this.#isClosed = true
    this.#postings?.close()
    this.#postings = null
  }
}
