/** Moves what searches read of a closed segment to files and back. */
import type { Pause } from '../../../platform/threads/slices.ts'
import type { IndexFiles } from './index-files.ts'
import { PagedArrays } from './paged-arrays.ts'
import type { Postings } from './postings.ts'
import type { VectorColumn } from './vector-column.ts'

/** The parts of a segment that can leave memory. */
export interface Pageable {
  readonly postings: readonly Postings[]
  readonly vectors: VectorColumn | null
  /** Makes a closed segment smaller, which `layOut` needs. */
  freeze(pause: Pause): Promise<void>
}

/** A segment is laid out once files hold all that it needs, paged out once memory does no more. */
export class SegmentPages {
  readonly #segment: Pageable
  /** Its terms and keys in a file, whether they are also in memory or not. */
  #words: PagedArrays | null = null
  #isPagedOut = false
  #isClosed = false

  constructor(segment: Pageable) {
    this.#segment = segment
  }

  /** About how many bytes leave memory when the segment is paged out, and come back. */
  get bytes(): number {
    const { postings, vectors } = this.#segment
    const words = this.#words?.bytes ?? postings.reduce((sum, { bytes }) => sum + bytes, 0)
    return words + (vectors?.pageBytes ?? 0)
  }

  /** Bytes in memory that paging in took and that hold nothing. */
  get emptyBytes(): number {
    return this.#words?.emptyBytes ?? 0
  }

  get isLaidOut(): boolean {
    return this.#words !== null
  }

  get isPagedOut(): boolean {
    return this.#isPagedOut
  }

  /**
   * Writes the segment to files, so that it can leave memory and come back at once. Searches go on meanwhile; the
   * original vectors leave memory for good.
   * @returns false when there is no room on disk, the segment was freed meanwhile, or it cannot be frozen
   * @throws IndexFileLost, and what `pause` throws
   */
  async layOut(files: IndexFiles, pause: Pause): Promise<boolean> {
    if (this.#words !== null) return true
    await this.#segment.freeze(pause)
    const { postings, vectors } = this.#segment
    const arrays = postings.map((each) => each.arrays)
    if (arrays.includes(null)) return false
    if (vectors !== null && !(await vectors.layOut(files, pause))) return false
    const words = await PagedArrays.write(
      arrays.flatMap((each) => each!),
      files,
    )
    if (words === null) return false
    if (this.#isClosed) {
      words.close()
      return false
    }
    this.#words = words
    return true
  }

  /** Frees the memory of a segment that is laid out. Page it in before it is read. */
  pageOut(): void {
    if (this.#isPagedOut) return
    const { postings, vectors } = this.#segment
    for (const each of postings) each.pageOut()
    this.#words!.pageOut()
    vectors?.pageOut()
    this.#isPagedOut = true
  }

  /** Brings back what `pageOut` freed. @throws IndexFileLost, ArenaFull; then nothing is changed */
  pageIn(): void {
    if (!this.#isPagedOut) return
    const { postings, vectors } = this.#segment
    const arrays = this.#words!.pageIn()
    try {
      vectors?.pageIn()
    } catch (error) {
      this.#words!.pageOut()
      throw error
    }
    const each = arrays.length / postings.length
    for (const [i, part] of postings.entries()) part.pageIn(arrays.slice(i * each, (i + 1) * each))
    this.#isPagedOut = false
  }

  /** Gives the room in files back when the segment is freed. */
  close(): void {
    this.#isClosed = true
    this.#words?.close()
    this.#words = null
  }
}
