import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Both versions of control groups (cgroups(7)): `own` is this process's group in /proc/self/cgroup, `parentOf` where a
 * group can be made from there. Version 2 bounds no groups within one that has processes, only beside it.
 */
const VERSIONS = [
  {
    own: /^\d+:memory:(.*)$/m,
    parentOf: (own: string) => join('/sys/fs/cgroup/memory', own),
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  },
  {
    own: /^0::(.*)$/m,
    parentOf: (own: string) => join('/sys/fs/cgroup', dirname(own)),
    limit: 'memory.max',
    peak: 'memory.peak',
    kills: 'memory.events',
  },
] as const
const [TRIES, TRY_MS] = [100, 100]
let count = 0

/**
 * Returns the megabytes that a container needs for a budget of indexes (`SEARCH_MEMORY_MB`); docs/operations/grow.md
 * says the same.
 */
export function containerMb(budgetMb: number): number {
  return 2 * budgetMb + 400
}

/** A control group that bounds the memory of processes like a container does. */
export interface MemoryLimit {
  /** A command that runs the command behind it under the limit. */
  readonly wrapper: readonly string[]
  /**
   * Returns the highest charged memory in megabytes, with page cache, which the system takes back before it ends a
   * process.
   */
  peakMb(): number
  /** Returns how many processes the system has ended because they took more memory. */
  killed(): number
  /** Removes the group, once its processes have ended. @throws the error of the system when they do not within seconds */
  remove(): Promise<void>
}

/**
 * Makes a control group inside the present one, whose bounds go on to hold.
 * @returns null where this process may make none
 */
export function memoryLimit(mb: number): MemoryLimit | null {
  const groups = existsSync('/proc/self/cgroup') ? readFileSync('/proc/self/cgroup', 'utf8') : ''
  for (const { own, parentOf, ...files } of VERSIONS) {
    const path = own.exec(groups)?.[1]
    if (path === undefined) continue
    const folder = join(parentOf(path), `knowledge-${process.pid}-${count++}`)
    if (isMade(folder, files.limit, mb)) return limitOf(folder, files)
  }
  return null
}

function isMade(folder: string, limit: string, mb: number): boolean {
  try {
    mkdirSync(folder)
  } catch {
    return false
  }
  try {
    // Writing would not make the file: it is there where the group can bound memory.
    writeFileSync(join(folder, limit), String(mb * 2 ** 20), { flag: 'r+' })
    return true
  } catch {
    rmdirSync(folder)
    return false
  }
}

function limitOf(folder: string, { peak, kills }: { readonly peak: string; readonly kills: string }): MemoryLimit {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    wrapper: ['/bin/sh', '-c', `echo $$ > ${join(folder, 'cgroup.procs')} && exec "$@"`, 'sh'],
    peakMb: () => Number(read(peak)) / 2 ** 20,
    killed: () => Number(/^oom_kill (\d+)$/m.exec(read(kills))?.[1]),
    remove: () => removed(folder),
  }
}

async function removed(folder: string): Promise<void> {
  for (let triesLeft = TRIES; ; triesLeft--) {
    try {
      rmdirSync(folder)
      return
    } catch (error) {
      if (triesLeft === 0) throw error
    }
    await sleep(TRY_MS)
  }
}
