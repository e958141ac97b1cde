import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const { ENOSPC, EIO } = constants.errno

/** Faults of the service's disk and clock. */
interface Faults {
  readonly write?: 'full' | 'broken'
  readonly sync?: 'broken'
  /** Whether writes are cut in half. */
  readonly half?: boolean
  readonly clockSeconds?: number
}

/** A library with which the service is started, and by which a test makes its disk fail and its clock step. */
export class FaultyDisk {
  readonly #folder: string
  readonly #control: number

  private constructor(folder: string) {
    this.#folder = folder
    this.#control = openSync(join(folder, 'control'), 'w')
    this.set({})
  }

  /**
   * Builds the library.
   * @returns null, with the reason on standard error, where it cannot be built
   */
  static build(): FaultyDisk | null {
    if (process.platform !== 'linux') {
      process.stderr.write('No full disks, I/O errors and clock steps: they take Linux\n')
      return null
    }
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-faulty-disk-'))
    const source = join(import.meta.dirname, 'faulty-disk.c')
    const built = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', join(folder, 'faulty-disk.so'), source])
    if (built.status === 0) return new FaultyDisk(folder)
    rmSync(folder, { recursive: true })
    const why = built.error === undefined ? built.stderr.toString('utf8') : 'this machine has no C compiler (cc)'
    process.stderr.write(`No full disks, I/O errors and clock steps: ${why}\n`)
    return null
  }

  /** Returns the environment of a service whose disk and clock the library controls. */
  settings(dataDir: string): Record<string, string> {
    return {
      LD_PRELOAD: join(this.#folder, 'faulty-disk.so'),
      FAULTS_CONTROL: join(this.#folder, 'control'),
      FAULTS_FOLDER: dataDir,
    }
  }

  /** Sets the present faults; all others end. */
  set({ write, sync, half = false, clockSeconds = 0 }: Faults): void {
    const writeErrno = write === undefined ? 0 : write === 'full' ? ENOSPC : EIO
    const state = Int32Array.of(writeErrno, sync === undefined ? 0 : EIO, half ? 1 : 0, clockSeconds)
    writeSync(this.#control, Buffer.from(state.buffer), 0, state.byteLength, 0)
  }

  remove(): void {
    closeSync(this.#control)
    rmSync(this.#folder, { recursive: true })
  }
}
