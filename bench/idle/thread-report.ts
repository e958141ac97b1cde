/** Writes what the heap of each thread of a process takes to a file. Loaded into each thread by `--import`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { isMainThread, threadId, threadName } from 'node:worker_threads'

const { THREAD_REPORTS: folder, THREAD_REPORTS_AFTER_MS: afterMs } = process.env

/** Memory of a thread, in bytes. */
export interface ThreadReport {
  readonly thread: string
  readonly heapUsed: number
  /** Pages of the heap that are resident. */
  readonly heap: number
  /** Memory that V8 allocated outside of the heap for itself, such as for its compilers. */
  readonly malloced: number
  /** Buffers and other memory that objects of the heap keep alive. */
  readonly external: number
}

if (folder !== undefined) setTimeout(report, Number(afterMs), folder).unref()

function report(into: string): void {
  const { total_physical_size: heap, malloced_memory: malloced } = getHeapStatistics()
  const { heapUsed, external } = process.memoryUsage()
  const thread = isMainThread ? 'main' : (threadName ?? String(threadId))
  const text: ThreadReport = { thread, heapUsed, heap, malloced, external }
  writeFileSync(join(into, `${threadId}.json`), JSON.stringify(text))
}
