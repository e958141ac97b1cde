import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'

/** A task of the thread that draws a page and runs its scripts. */
interface Task {
  /** Processor time of the thread in milliseconds; it does not count the work of other threads meanwhile. */
  readonly cpuMs: number
  /** From begin to end, milliseconds. */
  readonly wallMs: number
  /** Processor time of style, layout and painting within it, milliseconds. */
  readonly renderingMs: number
}

/** The task with the most processor time during a measurement, and the number of tasks over the bound. */
export interface TaskFigures extends Task {
  /** Processor time of scripts, at most: the task without rendering. */
  readonly scriptMs: number
  readonly long: number
}

/** Milliseconds of processor time above which a task is long, as in the Long Tasks API of browsers (W3C). */
export const LONG_MS = 50

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Processor time of the thread in microseconds; Chromium does not measure that of very short events. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

const CATEGORIES = ['-*', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8.execute']
const TASK = /(^|::)RunTask$/
const RENDERING = new Set([
  'UpdateLayoutTree',
  'Layout',
  'PrePaint',
  'Paint',
  'Layerize',
  'Commit',
  'HitTest',
  'UpdateLayer',
  'IntersectionObserverController::computeIntersections',
])

/** Error when Chromium has not delivered its trace. */
export class TraceLost extends Error {
  override readonly name = 'TraceLost'
}

/** Milliseconds in which Chromium must deliver a trace. One of some hundred megabytes takes seconds. */
const HANDED_OUT_WITHIN_MS = 60_000

/**
 * Runs an action on a page under Chromium's trace.
 * @returns the longest task of the page's main thread
 * @throws TraceLost if Chromium keeps the trace for a minute; the browser cannot trace any more then
 */
export async function traced(browser: Browser, page: Page, act: () => Promise<void>): Promise<TaskFigures> {
  await browser.startTracing(page, { categories: CATEGORIES })
  let trace: Buffer
  try {
    await act()
  } finally {
    trace = await handedOut(browser)
  }
  const tasks = tasksIn((JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }).traceEvents)
  const longest = tasks.reduce((one, other) => (other.cpuMs > one.cpuMs ? other : one))
  return {
    ...longest,
    scriptMs: longest.cpuMs - longest.renderingMs,
    long: tasks.filter(({ cpuMs }) => cpuMs > LONG_MS).length,
  }
}

async function handedOut(browser: Browser): Promise<Buffer> {
  const patience = new AbortController()
  try {
    const lost = sleep(HANDED_OUT_WITHIN_MS, null, { signal: patience.signal })
    const trace = await Promise.race([browser.stopTracing(), lost])
    if (trace === null) throw new TraceLost(`There was no trace after ${HANDED_OUT_WITHIN_MS} ms`)
    return trace
  } finally {
    patience.abort()
  }
}

/**
 * Returns the tasks of all main threads in a trace. A page has one; another renderer that Chromium keeps ready does
 * nothing.
 */
function tasksIn(events: readonly TraceEvent[]): Task[] {
  const mains = new Set(
    events.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  )
  const complete = events
    .filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid} ${tid}`))
    .toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0))
  const tasks: (Task & { readonly thread: string; readonly end: number; renderingMs: number; counted: number })[] = []
  for (const { name, pid, tid, ts, dur = 0, tdur } of complete) {
    const thread = `${pid} ${tid}`
    const around = tasks.findLast((task) => task.thread === thread)
    const isWithin = around !== undefined && ts < around.end
    if (TASK.test(name) && !isWithin) {
      tasks.push({
        thread,
        end: ts + dur,
        cpuMs: (tdur ?? dur) / 1_000,
        wallMs: dur / 1_000,
        renderingMs: 0,
        counted: 0,
      })
    } else if (isWithin && RENDERING.has(name) && ts >= around.counted) {
      // Rendering within rendering counts once.
      around.counted = ts + dur
      around.renderingMs += (tdur ?? dur) / 1_000
    }
  }
  if (tasks.length === 0) throw new Error('The trace has no tasks of a page')
  return tasks
}
