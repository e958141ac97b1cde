import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DRAFT_ENDING, draftName } from '../../columns/draft-name.ts'

const ENDING = '.snapshot'
/** Milliseconds without a write after which a draft counts as left behind by a process that has ended. */
const DRAFT_FORGOTTEN_MS = 10 * 60_000
const ENOENT = 'ENOENT'

/** An open snapshot file. */
export interface OpenSnapshot {
  readonly bytes: number
  readonly read: (into: Uint8Array, position: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** A whole snapshot in the folder. */
interface SnapshotEntry {
  readonly name: string
  readonly bytes: number
  readonly usedAt: number
}

/** A snapshot takes more than all snapshots may take together. */
class SnapshotTooLarge extends Error {
  override readonly name = 'SnapshotTooLarge'
}

/**
 * The snapshots in a folder, one file for each tenant and index. A file is written beside the former one and replaces
 * it in one step, so a killed process leaves the former file or none. Processes may share the folder. When the files
 * take too much, the least recently used ones are deleted.
 */
export class SnapshotFiles {
  readonly #folder: string
  /** Bytes that all files may take; a file that is being written comes on top until it is whole. */
  readonly bytesMax: number

  constructor(folder: string, bytesMax: number) {
    this.#folder = folder
    this.bytesMax = bytesMax
  }

  /**
   * Writes a snapshot in place of the former one.
   * @param save appends the bytes
   * @returns the bytes of the file
   * @throws what `save` throws, SnapshotTooLarge, or the error of the file system; then the former file stays
   */
  async write(
    tenantId: string,
    index: string,
    save: (append: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const name = nameOf(tenantId, index)
    const draft = join(this.#folder, draftName(name))
    let bytes = 0
    try {
      await withFile(draft, 'wx', async (file) => {
        await save(async (piece) => {
          bytes += piece.length
          if (bytes > this.bytesMax) throw new SnapshotTooLarge('the snapshot is too large')
          await file.writeFile(piece)
        })
        await file.sync()
      })
      await this.#makeRoom(name, bytes)
      await rename(draft, join(this.#folder, name))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await withFile(this.#folder, 'r', (folder) => folder.sync())
    return bytes
  }

  /** Opens a snapshot, which counts as used now. Returns null when there is none. */
  async open(tenantId: string, index: string): Promise<OpenSnapshot | null> {
    const name = nameOf(tenantId, index)
    const snapshot = await this.#open(name)
    if (snapshot !== null) await this.#touch(name, new Date())
    return snapshot
  }

  /** Returns the number of snapshots and the bytes that they take. */
  async usage(): Promise<{ readonly files: number; readonly bytes: number }> {
    const all = await this.#list()
    return { files: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  /** Opens each snapshot in turn, the most recently used first. They do not count as used. */
  async *all(): AsyncGenerator<OpenSnapshot> {
    for (const { name } of await this.#list()) {
      const snapshot = await this.#open(name)
      if (snapshot !== null) yield snapshot
    }
  }

  /** Deletes a tenant's snapshots. @param index name of one index; all indexes by default */
  async remove(tenantId: string, index: string | null = null): Promise<void> {
    const beginning = index === null ? `${hashOf(tenantId)}.` : nameOf(tenantId, index)
    for (const name of await this.#names()) {
      if (name.startsWith(beginning)) await rm(join(this.#folder, name), { force: true })
    }
  }

  /**
   * Deletes the snapshots of all other tenants, and their half-written files.
   * @param tenants returns the tenants to keep; called after the folder was read, so that a new tenant keeps its files
   */
  async keepOnly(tenants: () => Promise<readonly string[]>): Promise<void> {
    const names = (await this.#names()).filter((name) => name.endsWith(ENDING) || name.endsWith(DRAFT_ENDING))
    if (names.length === 0) return
    const hashes = new Set((await tenants()).map(hashOf))
    for (const name of names) {
      if (!hashes.has(name.split('.', 1)[0])) await rm(join(this.#folder, name), { force: true })
    }
  }

  /** Deletes the half-written files of killed processes. */
  async removeDrafts(now: number): Promise<void> {
    for (const name of await this.#names()) {
      const path = join(this.#folder, name)
      if (!name.endsWith(DRAFT_ENDING)) continue
      const { mtimeMs } = (await stat(path).catch(nullIfMissing)) ?? { mtimeMs: now }
      if (now - mtimeMs > DRAFT_FORGOTTEN_MS) await rm(path, { force: true })
    }
  }

  /** Marks a snapshot as used now. */
  async touch(tenantId: string, index: string): Promise<void> {
    await this.#touch(nameOf(tenantId, index), new Date())
  }

  async #touch(name: string, usedAt: Date): Promise<void> {
    await utimes(join(this.#folder, name), usedAt, usedAt).catch(nullIfMissing)
  }

  async #open(name: string): Promise<OpenSnapshot | null> {
    const file = await open(join(this.#folder, name), 'r').catch(nullIfMissing)
    if (file === null) return null
    const { size: bytes } = await file.stat()
    const read = async (into: Uint8Array, position: number): Promise<number> =>
      (await file.read(into, 0, into.length, position)).bytesRead
    return { bytes, read, close: () => file.close() }
  }

  /** Deletes the least recently used other snapshots until one of `bytes` bytes fits. */
  async #makeRoom(name: string, bytes: number): Promise<void> {
    const others = (await this.#list()).filter((other) => other.name !== name)
    let total = others.reduce((sum, other) => sum + other.bytes, 0)
    for (const other of others.toReversed()) {
      if (total + bytes <= this.bytesMax) return
      await rm(join(this.#folder, other.name), { force: true })
      total -= other.bytes
    }
  }

  /** Returns all whole snapshots, the most recently used first. */
  async #list(): Promise<SnapshotEntry[]> {
    const entries: SnapshotEntry[] = []
    for (const name of await this.#names()) {
      if (!name.endsWith(ENDING)) continue
      const stats = await stat(join(this.#folder, name)).catch(nullIfMissing)
      if (stats !== null) entries.push({ name, bytes: stats.size, usedAt: stats.mtimeMs })
    }
    return entries.sort((a, b) => b.usedAt - a.usedAt)
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.#folder).catch(nullIfMissing)) ?? []
  }
}

/** Returns the folder of a service's snapshots. */
export function snapshotFolder(dataDir: string): string {
  return join(dataDir, 'search-snapshots')
}

async function withFile(path: string, flags: string, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

/**
 * Returns the file name of a snapshot. It has hashes, since a file system may refuse letters of an id or confuse them.
 */
function nameOf(tenantId: string, index: string): string {
  return `${hashOf(tenantId)}.${hashOf(index)}${ENDING}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Turns the error of a missing file into null. @throws any other error */
function nullIfMissing(error: { code?: string }): null {
  if (error.code === ENOENT) return null
  throw error
}
