import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Site } from '../../api/sites.ts'
import { askRuns } from '../syncs/queries.ts'
import type { FeedContent } from './feed-content.ts'
import { readFeedFile } from './feed-read.ts'
import { type PushResult, pushFeed } from './feed-send.ts'

/** Pause between two questions to the service about its progress. */
const ASK_EVERY_MS = 1_000

export interface FeedJob {
  readonly file: File
  readonly site: Site
  readonly isFull: boolean
  readonly encoding: string
}

type Phase = 'choosing' | 'reading' | 'checking' | 'checked' | 'importing' | 'stopped' | 'done'

interface State {
  readonly phase: Phase
  readonly job: FeedJob | null
  readonly content: FeedContent | null
  /** Progress of the current phase, from 0 to 1; null when it is unknown. */
  readonly share: number | null
  /** Outcome of the check, and later of the import. */
  readonly result: PushResult | null
  /** Number of products that are missing from the file, as the check found; the import retires no more than these. */
  readonly missing: number
  readonly isImport: boolean
  readonly error: unknown
}

const START: State = {
  phase: 'choosing',
  job: null,
  content: null,
  share: null,
  result: null,
  missing: 0,
  isImport: false,
  error: null,
}

/**
 * Leads a product feed from the choice of the file to the end of its import: read, checked, imported. Each step can be
 * stopped.
 */
export function useFeed() {
  const queries = useQueryClient()
  const [state, setState] = useState<State>(START)
  const stopper = useRef(new AbortController())
  const change = (more: Partial<State>): void => setState((now) => ({ ...now, ...more }))

  /** Does work that the person can stop. */
  const doStoppable = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    stopper.current = new AbortController()
    const { signal } = stopper.current
    try {
      await work(signal)
    } catch (error) {
      change({ phase: 'stopped', share: null, error: signal.aborted ? null : error })
    }
  }

  const readAndCheck = (job: FeedJob): Promise<void> =>
    doStoppable(async (signal) => {
      change({ ...START, job, phase: 'reading', share: 0 })
      const order = { file: job.file, encoding: job.encoding, language: job.site.language ?? 'en' }
      const content = await readFeedFile(order, (share) => change({ share }), signal)
      if (content === null) return change({ phase: 'stopped' })
      change({ phase: 'checking', content, share: null })
      // The check allows all products to be retired, because it only counts them.
      const maxRetired = isFull(job, content) ? '100%' : null
      const result = await pushFeed(content.body, { site: job.site.id, maxRetired, isDryRun: true }, signal)
      const missing = result.finished?.reason === undefined ? (result.finished?.would_retire ?? 0) : 0
      change({ phase: 'checked', result, missing })
    })

  const send = (job: FeedJob, content: FeedContent, missing: number): Promise<void> =>
    doStoppable(async (signal) => {
      change({ phase: 'importing', isImport: true, share: 0, error: null })
      const readShare = async (): Promise<void> => {
        const share = await shareOf(job.site.id, content.places.length, signal)
        if (share !== null && !signal.aborted) change({ share })
      }
      const timer = setInterval(() => void readShare(), ASK_EVERY_MS)
      try {
        const maxRetired = isFull(job, content) ? String(missing) : null
        const result = await pushFeed(content.body, { site: job.site.id, maxRetired, isDryRun: false }, signal)
        change({ phase: 'done', share: null, result })
      } finally {
        clearInterval(timer)
        await queries.invalidateQueries()
      }
    })

  return {
    ...state,
    begin: readAndCheck,
    import: () => start(send),
    /** Goes on with the step that was stopped. The service skips products that it has stored already. */
    goOn: () => start(state.isImport ? send : readAndCheck),
    stop: () => {
      stopper.current.abort()
      change({ phase: 'stopped', share: null })
    },
    reset: () => setState(START),
  }

  function start(step: (job: FeedJob, content: FeedContent, missing: number) => Promise<void>): void {
    const { job, content, missing } = state
    if (job !== null) void step(job, content as FeedContent, missing)
  }
}

/** Tells whether products may be retired: not when the file was not read to its end. */
export const isFull = (job: FeedJob, { cut }: FeedContent): boolean => job.isFull && cut === null

/** Returns the share of its lines that the newest push has stored; null when it is unknown. */
async function shareOf(siteId: string, lines: number, signal: AbortSignal): Promise<number | null> {
  try {
    const [run] = (await askRuns(siteId, null, signal)).rows
    if (run?.status !== 'running' || run.source !== 'import' || lines === 0) return null
    return (run.created + run.updated + run.unchanged + run.failed) / lines
  } catch {
    return null
  }
}
