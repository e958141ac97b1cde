/**
 * Files that hold original vectors in place of memory. A search reads the codes of all documents, and the originals of
 * the few dozen that it must compare exactly.
 */
import { closeSync, mkdirSync, openSync, readSync, rmSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { draftName } from './snapshots/snapshot-files.ts'

const writePiece = promisify(write)

/** Originals cannot be written to a file or read from it. An index that needs them has to be built again. */
export class OriginalsLost extends Error {
  override readonly name = 'OriginalsLost'
}

/** The originals of one column, end to end. */
export interface OriginalFile {
  /** Appends all of `bytes`, which must stay as they are until then. @throws OriginalsLost */
  append(bytes: Uint8Array): Promise<void>
  /** Fills `into` with what lies at `position`. @throws OriginalsLost */
  read(into: Uint8Array, position: number): void
  /** Gives its room back. Nothing may be on its way to it. */
  close(): void
}

/** Where a thread keeps originals on disk. */
export interface OriginalFiles {
  /**
   * A new file for `bytes`.
   * @returns null where there is no room for it
   * @throws OriginalsLost
   */
  create(bytes: number): OriginalFile | null
  /** Makes no more files. Those that there are can still be read. */
  giveUp(): void
}

/**
 * Originals in files without names: they end with the process, and nobody else can open them. All of them together take
 * at most `bytesMax`.
 */
export class UnnamedFiles implements OriginalFiles {
  readonly #folder: string
  #bytesLeft: number

  constructor(folder: string, bytesMax: number) {
    this.#folder = folder
    this.#bytesLeft = bytesMax
  }

  create(bytes: number): OriginalFile | null {
    if (bytes > this.#bytesLeft) return null
    const descriptor = attempt(() => openUnnamed(this.#folder))
    this.#bytesLeft -= bytes
    return new UnnamedFile(descriptor, () => {
      this.#bytesLeft += bytes
    })
  }

  giveUp(): void {
    this.#bytesLeft = -Infinity
  }
}

class UnnamedFile implements OriginalFile {
  readonly #descriptor: number
  readonly #onClose: () => void

  constructor(descriptor: number, onClose: () => void) {
    this.#descriptor = descriptor
    this.#onClose = onClose
  }

  async append(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        done += (await writePiece(this.#descriptor, bytes, done, bytes.length - done, null)).bytesWritten
      }
    } catch (cause) {
      throw new OriginalsLost('a file of vectors cannot be written', { cause })
    }
  }

  read(into: Uint8Array, position: number): void {
    for (let done = 0; done < into.length;) {
      const got = attempt(() => readSync(this.#descriptor, into, done, into.length - done, position + done))
      if (got === 0) throw new OriginalsLost('a file of vectors is too short')
      done += got
    }
  }

  close(): void {
    closeSync(this.#descriptor)
    this.#onClose()
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new OriginalsLost('a file of vectors cannot be opened or read', { cause })
  }
}

/** The name is that of a draft, so that one that a killed process left is deleted with the drafts of snapshots. */
function openUnnamed(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, draftName('vectors'))
  const descriptor = openSync(path, 'wx+', 0o600)
  try {
    rmSync(path)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return descriptor
}
