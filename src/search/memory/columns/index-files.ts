/**
 * Files that hold parts of indexes in place of memory: original vectors, of which a search reads a few dozen, and the
 * terms and codes of small indexes that are paged out.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, rmSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FreeRanges } from './free-ranges.ts'
import { draftName } from './draft-name.ts'

/** Least size of a file of its own. Smaller ones share a common file, since a descriptor for each would be too many. */
const OWN_FILE_BYTES = 2 ** 24
/** Room in the common file is a multiple of these bytes, the size of a block on most disks. */
const ROOM_BYTES = 2 ** 12

const writePiece = promisify(write)

/** A file cannot be written or read. An index with parts in this file has to be built again. */
export class IndexFileLost extends Error {
  override readonly name = 'IndexFileLost'
}

/** Bytes of one index, end to end. */
export interface IndexFile {
  /** Appends `bytes`, which must not change until the call resolves. @throws IndexFileLost */
  append(bytes: Uint8Array): Promise<void>
  /** Fills `into` with the bytes at `position`. @throws IndexFileLost */
  read(into: Uint8Array, position: number): void
  /** Gives the room of the file back. No `append` may be running. */
  close(): void
}

/** Where a thread keeps parts of indexes on disk. */
export interface IndexFiles {
  /**
   * Creates a file for `bytes`.
   * @returns null when there is no room on disk
   * @throws IndexFileLost
   */
  create(bytes: number): IndexFile | null
  /** Creates no more files from now on. Earlier files can still be read. */
  giveUp(): void
}

/**
 * Files without names: they end with the process, and no other process can open them. Small files share a common one.
 * All files together take at most `bytesMax`.
 */
export class UnnamedFiles implements IndexFiles {
  readonly #folder: string
  #bytesLeft: number
  /** Descriptor of the common file; null before it is needed. */
  #common: number | null = null
  /** Length of the common file. */
  #commonBytes = 0
  /** Free ranges of the common file. */
  readonly #free = new FreeRanges()

  constructor(folder: string, bytesMax: number) {
    this.#folder = folder
    this.#bytesLeft = bytesMax
  }

  create(bytes: number): IndexFile | null {
    if (this.#bytesLeft < 0) return null
    return bytes < OWN_FILE_BYTES ? this.#createInCommon(bytes) : this.#createOwn(bytes)
  }

  giveUp(): void {
    this.#bytesLeft = -Infinity
  }

  #createOwn(bytes: number): IndexFile | null {
    if (bytes > this.#bytesLeft) return null
    const descriptor = attempt(() => openUnnamed(this.#folder))
    this.#bytesLeft -= bytes
    return new FilePart(descriptor, 0, bytes, () => {
      closeSync(descriptor)
      this.#bytesLeft += bytes
    })
  }

  #createInCommon(bytes: number): IndexFile | null {
    const room = Math.max(1, Math.ceil(bytes / ROOM_BYTES)) * ROOM_BYTES
    let start = this.#free.take(room)
    if (start < 0) {
      if (room > this.#bytesLeft) return null
      this.#common ??= attempt(() => openUnnamed(this.#folder))
      start = this.#commonBytes
      this.#commonBytes += room
      this.#bytesLeft -= room
    }
    return new FilePart(this.#common!, start, room, () => this.#giveBack(start, room))
  }

  /** Frees a range of the common file, and truncates the file where its end is free. */
  #giveBack(start: number, room: number): void {
    this.#free.release(start, room)
    const end = this.#free.startOfLast(this.#commonBytes)
    if (end === this.#commonBytes) return
    this.#free.takeAt(end, this.#commonBytes - end)
    this.#bytesLeft += this.#commonBytes - end
    this.#commonBytes = end
    try {
      ftruncateSync(this.#common!, end)
    } catch {
      // Bytes that the disk does not take back are written over.
    }
  }
}

/** Writes `bytes` to a new file. @returns null when there is no room on disk @throws IndexFileLost */
export async function writtenFile(files: IndexFiles, bytes: Uint8Array): Promise<IndexFile | null> {
  const file = files.create(bytes.length)
  try {
    await file?.append(bytes)
  } catch (error) {
    file?.close()
    throw error
  }
  return file
}

/** A file, or a part of one. */
class FilePart implements IndexFile {
  readonly #descriptor: number
  readonly #start: number
  readonly #room: number
  readonly #onClose: () => void
  #bytes = 0

  constructor(descriptor: number, start: number, room: number, onClose: () => void) {
    this.#descriptor = descriptor
    this.#start = start
    this.#room = room
    this.#onClose = onClose
  }

  async append(bytes: Uint8Array): Promise<void> {
    // Bytes of another tenant's index may lie behind the room.
    if (this.#bytes + bytes.length > this.#room) throw new IndexFileLost('a file of an index has no room for more')
    try {
      for (let done = 0; done < bytes.length;) {
        const at = this.#start + this.#bytes
        const { bytesWritten } = await writePiece(this.#descriptor, bytes, done, bytes.length - done, at)
        done += bytesWritten
        this.#bytes += bytesWritten
      }
    } catch (cause) {
      throw new IndexFileLost('a file of an index cannot be written', { cause })
    }
  }

  read(into: Uint8Array, position: number): void {
    if (position + into.length > this.#bytes) throw new IndexFileLost('a file of an index is too short')
    for (let done = 0; done < into.length;) {
      const at = this.#start + position + done
      const bytesRead = attempt(() => readSync(this.#descriptor, into, done, into.length - done, at))
      if (bytesRead === 0) throw new IndexFileLost('a file of an index is too short')
      done += bytesRead
    }
  }

  close(): void {
    this.#onClose()
  }
}

/** @throws IndexFileLost when `work` throws */
function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new IndexFileLost('a file of an index cannot be opened or read', { cause })
  }
}

/**
 * Opens a file and removes its name. Until then it has the name of a draft, so the file of a process that is killed in
 * between is deleted with the drafts of snapshots.
 */
function openUnnamed(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, draftName('index'))
  const descriptor = openSync(path, 'wx+', 0o600)
  try {
    rmSync(path)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return descriptor
}
