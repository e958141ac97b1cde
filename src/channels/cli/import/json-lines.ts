import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { CategoryRules } from '../../../knowledge/categories/rules.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { BATCH, type EntryBulkRules } from '../../../knowledge/entries/bulk/bulk-rules.ts'
import { batchesOf } from '../../../platform/lines/line-batches.ts'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { type NdjsonLine, ndjsonLines } from '../../../platform/lines/ndjson.ts'
import { modelsInUse } from '../embedding-wait.ts'
import { EXPORT_KIND, LINE_CHECKS } from '../export/format.ts'
import type { CommandCall } from '../command-call.ts'
import { UsageError } from '../failure.ts'
import type { Progress } from '../progress.ts'
import { ensureFirstTenant, operatorOf, type Context } from '../context.ts'
import { CategoryPaths } from '../../import/category-paths.ts'
import { readLine, UnusableLine } from '../../import/line-entry.ts'
import { categoryAccess } from './category-access.ts'
import { type Candidate, writeEntries } from './entry-writer.ts'
import { sayFaults } from '../../import/say-faults.ts'
import type { ImportReport } from './report.ts'
import { TenantRestore } from './restore.ts'

/** Bytes of a line: more than any entry needs, with a million characters of four bytes each written as escapes. */
const LINE_BYTES_MAX = 16 * 1024 * 1024
const LINES_BATCH = { lines: BATCH.lines, bytes: LINE_BYTES_MAX }

interface LineSource {
  /** Name of the file in messages. */
  readonly name: string
  readonly stream: Readable
  /** Size in bytes; null when it is unknown. */
  readonly size: number | null
}

export async function openLines(path: string, call: Pick<CommandCall, 'stdin'>): Promise<LineSource> {
  if (path === '-') return { name: 'standard input', stream: call.stdin, size: null }
  const stats = statSync(path)
  return { name: path, stream: createReadStream(path), size: stats.isFile() ? stats.size : null }
}

interface LinesImport {
  readonly context: Context
  readonly tenantId: string
  readonly rules: EntryBulkRules
  readonly embedders: EmbedderPool
  readonly baseCategory: readonly string[]
  readonly defaults: { readonly visibility: string | undefined; readonly language: string | undefined }
  readonly dryRun: boolean
  readonly report: ImportReport
  readonly progress: Progress
  readonly stop: AbortSignal
}

/** Imports the lines of one file, a batch at a time. */
interface LineImporter {
  take(lines: readonly NdjsonLine[]): Promise<void>
}

/**
 * Imports entries or restores an export, depending on the first line. A faulty line is reported and skipped.
 * @returns why the rest of the file was not read, if nearly all lines are blank or faulty; else null
 */
export async function importLines(source: LineSource, job: LinesImport): Promise<string | null> {
  let bytes = 0
  const countBytes = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source.stream) {
      bytes += (chunk as Uint8Array).length
      yield chunk as Uint8Array
    }
  }
  // A stream that waits for more input would delay the end of the command.
  const onStop = (): unknown => source.stream.destroy()
  job.stop.addEventListener('abort', onStop)
  try {
    let importer: LineImporter | null = null
    const tally = new LineTally()
    const failedBefore = job.report.counts.failed
    for await (const batch of batchesOf(ndjsonLines(countBytes(), LINE_BYTES_MAX, { tally }), LINES_BATCH)) {
      importer ??= await importerFor(batch[0], source, job)
      await importer.take(batch)
      job.progress.update(job.report.done, source.size === null ? null : Math.min(1, bytes / source.size))
      if (job.stop.aborted) return null
      tally.failed = job.report.counts.failed - failedBefore
      if (tally.isOver) break
    }
    if (tally.isOver) return `${source.name}: ${tally.reason}`
  } catch (error) {
    // After an interruption the next import reads the rest of the stream.
    if (!job.stop.aborted || (error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  } finally {
    job.stop.removeEventListener('abort', onStop)
  }
  return null
}

async function importerFor(first: NdjsonLine, source: LineSource, job: LinesImport): Promise<LineImporter> {
  const kind = (first.value as { kind?: unknown } | null | undefined)?.kind
  if (kind === EXPORT_KIND) {
    if (job.dryRun)
      throw new UsageError(
        '--dry-run does not work with an export. A restore never changes anything that exists already',
      )
    return TenantRestore.begin(first.value, source.name, job)
  }
  if (typeof kind === 'string' && Object.hasOwn(LINE_CHECKS, kind))
    throw new UsageError(`${source.name} is an export without its first line; import the whole file`)
  await ensureFirstTenant(job.context)
  await modelsInUse(job.context.database, job.embedders, job.tenantId)
  return EntryLines.open(source.name, job)
}

/** Imports lines that are entries in the format of the API, with a `category` path or a `category_id`. */
class EntryLines implements LineImporter {
  readonly #job: LinesImport
  readonly #name: string
  readonly #caller: Awaited<ReturnType<typeof operatorOf>>
  readonly #categories: CategoryPaths

  private constructor(
    name: string,
    job: LinesImport,
    caller: Awaited<ReturnType<typeof operatorOf>>,
    categories: CategoryPaths,
  ) {
    this.#name = name
    this.#job = job
    this.#caller = caller
    this.#categories = categories
  }

  static async open(name: string, job: LinesImport): Promise<EntryLines> {
    const { context, tenantId, dryRun } = job
    const caller = await operatorOf(context, tenantId)
    const rules = new CategoryRules(context.database)
    return new EntryLines(name, job, caller, await CategoryPaths.load(categoryAccess(rules, caller), dryRun))
  }

  async take(lines: readonly NdjsonLine[]): Promise<void> {
    const { rules, report, dryRun } = this.#job
    const candidates: Candidate[] = []
    for (const line of lines) {
      const candidate = await this.#candidateOf(line)
      if (candidate !== null) candidates.push(candidate)
    }
    await writeEntries(rules, this.#caller, candidates, report, dryRun)
  }

  async #candidateOf({ line, value, fault }: NdjsonLine): Promise<Candidate | null> {
    const name = `${this.#name}, line ${line}`
    const { report, baseCategory, defaults } = this.#job
    const refuse = (reason: string): null => {
      report.fail(name, reason)
      return null
    }
    if (fault !== undefined) return refuse(sayFaults(fault.details))
    try {
      const { entry, path } = await readLine(value, { baseCategory, defaults }, sha256)
      const category_id = path === null ? undefined : await this.#categories.idOf(path)
      return { name, entry: path === null ? entry : { ...entry, category_id } }
    } catch (error) {
      if (error instanceof UnusableLine) return refuse(error.message)
      throw error
    }
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
