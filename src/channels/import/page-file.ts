/** Why a file cannot become an entry, for programs that say it in another language. */
export type Unusable = 'unreadable' | 'tooLarge' | 'notText' | 'frontMatter' | 'category'

/** Tells that a file cannot become an entry. The message says why. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
  readonly reason: Unusable

  constructor(message: string, reason: Unusable = 'unreadable') {
    super(message)
    this.reason = reason
  }
}

/** Bytes of a file that is read: well above the longest content of an entry. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024

/** A Markdown file, on a disk or in a browser. `segments` are the names on its path, from the imported folder down. */
export interface PageFile {
  /** Names the file in messages. */
  readonly path: string
  readonly segments: readonly string[]
  /**
   * Reads the file, or its first bytes.
   * @throws UnusableFile when it cannot be read, or the whole file has more than `FILE_BYTES_MAX`
   */
  readonly read: (bytesMax?: number) => Promise<Uint8Array>
}

export const tooLarge = (bytes: number): UnusableFile =>
  new UnusableFile(`it has ${bytes} bytes, more than an entry may have`, 'tooLarge')
