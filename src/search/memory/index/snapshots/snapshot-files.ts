import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DRAFT_ENDING, draftName } from '../../columns/draft-name.ts'

const ENDING = '.snapshot'
/** A draft that nobody wrote to for this long is of a process that has ended. */
const DRAFT_FORGOTTEN_MS = 10 * 60_000
const ENOENT = 'ENOENT'

/** A snapshot file that is open. */
export interface OpenSnapshot {
  readonly bytes: number
  readonly read: (into: Uint8Array, position: number) => Promise<number>
  readonly close: () => Promise<void>
}

interface Listed {
  readonly name: string
  readonly bytes: number
  readonly usedAt: number
}

/** The file takes more than all files may take together. */
class SnapshotTooLarge extends Error {
  override readonly name = 'SnapshotTooLarge'
}

/**
 * The snapshots in a folder, one file for each tenant and index. A file is written beside the former one and takes its
 * place in one step, so a process that is killed leaves the former one or none. Processes may share the folder. When
 * the files take too much, those not used for longest are deleted.
 */
export class SnapshotFiles {
  readonly #folder: string
  /** What all files may take; the one that is being written comes on top until it is whole. */
  readonly bytesMax: number

  constructor(folder: string, bytesMax: number) {
    this.#folder = folder
    this.bytesMax = bytesMax
  }

  /**
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

  /** Null when there is none. The snapshot counts as used now. */
  async open(tenantId: string, index: string): Promise<OpenSnapshot | null> {
    const name = nameOf(tenantId, index)
    const opened = await this.#open(name)
    if (opened !== null) await this.#touch(name, new Date())
    return opened
  }

  /** How many snapshots there are, and what they take. */
  async usage(): Promise<{ readonly files: number; readonly bytes: number }> {
    const all = await this.#list()
    return { files: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  /** Opens each snapshot in turn, those used last first. None counts as used by that. */
  async *all(): AsyncGenerator<OpenSnapshot> {
    for (const { name } of await this.#list()) {
      const opened = await this.#open(name)
      if (opened !== null) yield opened
    }
  }

  /** @param index all of the tenant's by default */
  async remove(tenantId: string, index: string | null = null): Promise<void> {
    const beginning = index === null ? `${hashOf(tenantId)}.` : nameOf(tenantId, index)
    for (const name of await this.#names()) {
      if (name.startsWith(beginning)) await rm(join(this.#folder, name), { force: true })
    }
  }

  /**
   * Deletes what there is of all other tenants, half written files too.
   * @param tenants is asked once the folder was read, so that a tenant that is made meanwhile keeps its own
   */
  async keepOnly(tenants: () => Promise<readonly string[]>): Promise<void> {
    const names = (await this.#names()).filter((name) => name.endsWith(ENDING) || name.endsWith(DRAFT_ENDING))
    if (names.length === 0) return
    const kept = new Set((await tenants()).map(hashOf))
    for (const name of names) {
      if (!kept.has(name.split('.', 1)[0])) await rm(join(this.#folder, name), { force: true })
    }
  }

  /** Deletes what killed processes left half written. */
  async removeDrafts(now: number): Promise<void> {
    for (const name of await this.#names()) {
      const path = join(this.#folder, name)
      if (!name.endsWith(DRAFT_ENDING)) continue
      const { mtimeMs } = (await stat(path).catch(nullIfMissing)) ?? { mtimeMs: now }
      if (now - mtimeMs > DRAFT_FORGOTTEN_MS) await rm(path, { force: true })
    }
  }

  /** The snapshot counts as used now. */
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

  /** Deletes other snapshots until one of this size fits beside them. */
  async #makeRoom(name: string, bytes: number): Promise<void> {
    const others = (await this.#list()).filter((other) => other.name !== name)
    let held = others.reduce((sum, other) => sum + other.bytes, 0)
    for (const other of others.toReversed()) {
      if (held + bytes <= this.bytesMax) return
      await rm(join(this.#folder, other.name), { force: true })
      held -= other.bytes
    }
  }

  /** All whole snapshots, those used last first. */
  async #list(): Promise<Listed[]> {
    const listed: Listed[] = []
    for (const name of await this.#names()) {
      if (!name.endsWith(ENDING)) continue
      const found = await stat(join(this.#folder, name)).catch(nullIfMissing)
      if (found !== null) listed.push({ name, bytes: found.size, usedAt: found.mtimeMs })
    }
    return listed.sort((a, b) => b.usedAt - a.usedAt)
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.#folder).catch(nullIfMissing)) ?? []
  }
}

/** Where a service keeps its snapshots. */
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

/** Ids of tenants may have letters that a file system does not allow, or takes for the same. */
function nameOf(tenantId: string, index: string): string {
  return `${hashOf(tenantId)}.${hashOf(index)}${ENDING}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function nullIfMissing(error: { code?: string }): null {
  if (error.code === ENOENT) return null
  throw error
}
