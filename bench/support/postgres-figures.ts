import { readFileSync } from 'node:fs'
import pg from 'pg'
import { cpuSeconds } from './process-figures.ts'

const TICKS_PER_SECOND = 100

/** Reads the resources of a PostgreSQL on this machine. */
export class PostgresFigures {
  readonly #client: pg.Client
  readonly #postmaster: number

  private constructor(client: pg.Client, postmaster: number) {
    this.#client = client
    this.#postmaster = postmaster
  }

  static async of(url: string): Promise<PostgresFigures> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return new PostgresFigures(client, Number(statOf(rows[0].pid)[1]))
  }

  /** Returns the processor seconds of all its processes, also those that have ended. */
  cpuSeconds(): number {
    const alive = this.#children().map((pid) => ifAlive(() => cpuSeconds(pid)))
    // Its own time, and that of children that ended.
    const ended = statOf(this.#postmaster).slice(11, 15)
    return [...alive, ...ended.map((ticks) => Number(ticks) / TICKS_PER_SECOND)].reduce((sum, each) => sum + each, 0)
  }

  /** Returns the resident memory of all its processes in megabytes; shared memory counts once. */
  memoryMb(): number {
    const each = [this.#postmaster, ...this.#children()].map((pid) => ifAlive(() => proportionalMb(pid)))
    return each.reduce((sum, mb) => sum + mb, 0)
  }

  #children(): number[] {
    const children = readFileSync(`/proc/${this.#postmaster}/task/${this.#postmaster}/children`, 'utf8')
    return children.trim().split(' ').map(Number)
  }

  /** Returns the bytes of each table with its indexes and long values, the largest first. */
  async tableBytes(): Promise<{ name: string; bytes: number }[]> {
    await this.#client.query('checkpoint')
    const { rows } = await this.#client.query<{ name: string; bytes: string }>(`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by 2 desc, 1`)
    return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
  }

  async allBytes(): Promise<number> {
    return (await this.tableBytes()).reduce((sum, { bytes }) => sum + bytes, 0)
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

/** Returns the fields of proc(5) after the name of the process: its state, its parent, and so on. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns the memory of a process in megabytes, in which each shared page counts in part (proc(5), smaps_rollup). */
function proportionalMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1_024
}

/** Returns the figure of a process, 0 when it has ended since processes were listed. */
function ifAlive(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}
