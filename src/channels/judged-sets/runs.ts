import type { Caller } from '../../platform/access/caller.ts'
import { levelsUpTo } from '../../platform/access/visibility.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { JudgedQueryRow, JudgedRunRow, JudgedSetRow } from '../../platform/database/tables.ts'
import { conflict, notFound } from '../../platform/faults.ts'
import { lockTenant } from '../../identity/tenants/lock-rules.ts'
import { newId } from '../../platform/ids.ts'
import type { LaboratoryRules } from '../laboratory/rules.ts'
import { viewerOf } from '../laboratory/view.ts'
import {
  type JudgedRun,
  type JudgedRunCreate,
  type JudgedRunDetail,
  type JudgedRunResult,
  QUERIES_MAX,
} from './contract.ts'
import { judgedTitles, parseJudgments } from './judged.ts'
import { isFirstRight, ndcg10 } from './quality.ts'
import { requireSet } from './rules.ts'
import * as store from './store.ts'

/** Runs of a set that are kept. */
const RUNS_MAX = 100
/** A run that has noted no progress for this time has ended with its process. */
const SILENT_MAX_MS = 60_000
/** How often a run notes its progress. */
const NOTE_EVERY_MS = 500

interface RunsOptions {
  readonly database: Database
  readonly laboratory: LaboratoryRules
  readonly onError: (error: unknown) => void
}

/** Runs judged sets. A run goes on after the answer to its request, and notes its progress. */
export class JudgedRunRules {
  readonly #database: Database
  readonly #laboratory: LaboratoryRules
  readonly #onError: (error: unknown) => void
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor({ database, laboratory, onError }: RunsOptions) {
    this.#database = database
    this.#laboratory = laboratory
    this.#onError = onError
  }

  /** Lists the runs of a set, newest first, without those that saw more than the caller may see. */
  async list(caller: Caller, setId: string): Promise<JudgedRun[]> {
    const { queries: db } = this.#database
    await requireSet(db, caller, setId)
    const rows = await store.listRuns(db, caller.tenant.id, setId, levelsUpTo(caller.ceiling), RUNS_MAX)
    return rows.map(runOf)
  }

  /** Returns a run with its results. @throws Fault not_found, also for a run that saw more than the caller may see */
  async read(caller: Caller, setId: string, id: string): Promise<JudgedRunDetail> {
    const { queries: db } = this.#database
    await requireSet(db, caller, setId)
    const row = await store.findRun(db, caller.tenant.id, setId, id)
    if (row === null || !levelsUpTo(caller.ceiling).includes(row.ceiling)) throw notFound(['path', 'run_id'], 'Run')
    return { ...runOf(row), results: JSON.parse(row.results) as JudgedRunResult[] }
  }

  /**
   * Starts a run. A tenant has one at a time.
   * @throws Fault not_found; invalid for a ceiling above the caller's own; conflict while a run of the tenant goes on
   */
  async start(caller: Caller, setId: string, input: JudgedRunCreate): Promise<JudgedRun> {
    const { tenant } = caller
    const viewer = withoutNotes(viewerOf(caller, input))
    const { mode = 'hybrid', min_relevance = null, role = null } = input
    const { set, queries, row } = await this.#database.write(async (tx) => {
      // Without the lock, two requests at the same moment would both find no run.
      await lockTenant(tx, tenant.id)
      const set = await requireSet(tx, caller, setId)
      const now = Date.now()
      if (await store.isRunning(tx, tenant.id, now - SILENT_MAX_MS))
        throw conflict(['path', 'set_id'], 'A run goes on; wait until it has ended')
      const queries = await store.listQueries(tx, tenant.id, setId, { after: null, limit: QUERIES_MAX })
      const weight = set.section === 'knowledge' ? tenant.settings.vectorWeight : tenant.settings.productVectorWeight
      const row: JudgedRunRow = {
        tenant_id: tenant.id,
        id: newId(),
        set_id: setId,
        state: 'running',
        ceiling: viewer.ceiling,
        settings: JSON.stringify({
          mode,
          min_relevance,
          role,
          ceiling: viewer.ceiling,
          embedding_model: tenant.embeddingModel,
          weight,
        }),
        done: 0,
        total: queries.length,
        ndcg: null,
        first_right: null,
        results: '[]',
        started_at: now,
        renewed_at: now,
        finished_at: null,
      }
      await store.insertRun(tx, row)
      await store.forgetRuns(tx, tenant.id, setId, RUNS_MAX)
      const event = { action: 'create', resourceType: 'judged_run', resourceId: row.id } as const
      await recordAudit(tx, tenant.id, caller, [event])
      return { set, queries, row }
    }, tenant.id)
    await this.#laboratory.noteView(caller, input)
    const run = this.#go(viewer, set, queries, row, { mode, min_relevance }).catch(this.#onError)
    this.#running.add(run)
    void run.finally(() => this.#running.delete(run))
    return runOf(row)
  }

  /** Ends the runs of this process, which then count as failed. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }

  async #go(
    viewer: Caller,
    { section }: JudgedSetRow,
    queries: readonly JudgedQueryRow[],
    row: JudgedRunRow,
    how: { mode: 'hybrid' | 'semantic' | 'keyword'; min_relevance: number | null },
  ): Promise<void> {
    const { queries: db } = this.#database
    const note = (change: Parameters<typeof store.changeRun>[2]): Promise<void> =>
      this.#database.write((tx) => store.changeRun(tx, row, { ...change, renewed_at: Date.now() }), row.tenant_id)
    const results: JudgedRunResult[] = []
    let lastNoteMs = Date.now()
    try {
      for (const { query, judgments } of queries) {
        if (this.#closing.signal.aborted) throw new Error('the service stops')
        const all = parseJudgments(judgments)
        const titles = await judgedTitles(
          db,
          viewer,
          section,
          all.map(({ id }) => id),
        )
        // The search cannot find what is deleted, or what the viewer may not see, so judgments on it do not count.
        const grades = new Map(all.flatMap(({ id, grade }) => (titles.has(id) ? [[id, grade]] : [])))
        const ranked = await this.#laboratory.firstHits(viewer, section, { query, ...how })
        results.push({ query, ndcg: ndcg10(grades, ranked), first_right: isFirstRight(grades, ranked) })
        if (Date.now() - lastNoteMs < NOTE_EVERY_MS) continue
        lastNoteMs = Date.now()
        await note({ done: results.length })
      }
    } catch (error) {
      await note({ state: 'failed', done: results.length, finished_at: Date.now() })
      if (!this.#closing.signal.aborted) throw error
      return
    }
    const ndcgs = results.flatMap(({ ndcg }) => ndcg ?? [])
    await note({
      state: 'done',
      done: results.length,
      ndcg: meanOf(ndcgs),
      first_right: meanOf(results.map(({ first_right }) => Number(first_right))),
      results: JSON.stringify(results),
      finished_at: Date.now(),
    })
  }
}

/** Returns the viewer of a run: without private notes, so that other administrators may see and compare the run. */
function withoutNotes(viewer: Caller): Caller {
  const scopes = new Set([...viewer.scopes].filter((scope) => scope !== 'knowledge:personal'))
  return { ...viewer, scopes }
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

function runOf(row: store.RunHead): JudgedRun {
  const isLost = row.state === 'running' && row.renewed_at <= Date.now() - SILENT_MAX_MS
  return {
    id: row.id,
    state: isLost ? 'failed' : row.state,
    done: row.done,
    total: row.total,
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    ndcg: row.ndcg,
    first_right: row.first_right,
    started_at: new Date(row.started_at).toISOString(),
    finished_at: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  }
}
