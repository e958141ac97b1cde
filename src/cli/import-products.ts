import { createHash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { openEmbedders } from '../embedding/open-embedders.ts'
import { compileCheck } from '../http/check.ts'
import { textFaults } from '../http/text-faults.ts'
import { BATCH_BYTES, BATCH_PRODUCTS } from '../products/bulk-push.ts'
import { ProductBulkLine, type ProductWrite } from '../products/contract.ts'
import { FullSync } from '../products/full-sync.ts'
import { ProductRules } from '../products/rules.ts'
import { listSites } from '../sites/store.ts'
import { type CommandLine, type Option, readArguments, refuseMore, TENANT_OPTION } from './arguments.ts'
import { makeVectors, modelsInUse } from './embedding-wait.ts'
import { CommandFailed, UsageError } from './failure.ts'
import { ImportReport, sayFaults } from './import/report.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { readLanguage } from './language.ts'
import { FEED_FORMATS, type Feed, type FeedFormat, type FeedRecord, openFeed } from './products/feed.ts'
import { isField, recordOf, type RecordRules } from './products/record.ts'
import { duration, Progress } from './progress.ts'
import { ensureFirstTenant, operatorOf, withWorkplace, type Workplace } from './workplace.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  site: { type: 'string', value: 'SLUG', help: 'site the products belong to (default: the default site)' },
  format: { type: 'string', value: 'NAME', help: 'auto, json, jsonl, csv or google-xml (default: auto)' },
  map: {
    type: 'string',
    value: 'FIELD=COLUMN,…',
    help: 'columns by the fields they are, such as title=name',
    multiple: true,
  },
  language: { type: 'string', value: 'CODE', help: "language of what names none (default: the site's)" },
  encoding: { type: 'string', value: 'NAME', help: 'of CSV and XML, such as windows-1252 (default: utf-8)' },
  full: { type: 'boolean', help: 'the file is complete: retire products of earlier imports that it does not name' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'import-products FILE [options]',
  about:
    'Imports a product feed into a site: JSON (a list of objects), JSON Lines, CSV with column names, or Google\n' +
    'Merchant XML; gzipped or not, or - for standard input. Columns that are no field become properties.\n' +
    'Importing again skips what has not changed. Works while the service runs.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

const check = compileCheck(ProductBulkLine, ['body'])

interface Settings {
  readonly path: string
  readonly tenantId: string
  readonly site: string | null
  readonly format: FeedFormat | null
  readonly encoding: string
  readonly language: string | null
  readonly map: ReadonlyMap<string, string>
  readonly full: boolean
}

/** Exit code 0, 1 when something could not be imported, 130 when it was interrupted. */
export async function run(args: readonly string[]): Promise<number> {
  const words = readArguments(args, LINE)
  if (words === null) return 0
  const [path, ...more] = words.positionals
  if (path === undefined) throw new UsageError('Nothing to import: name a file. See: knowledge import-products --help')
  refuseMore(more, 'import-products')
  const { values } = words
  const settings: Settings = {
    path,
    tenantId: values.tenant ?? 'default',
    site: values.site ?? null,
    format: readFormat(values.format),
    encoding: readEncoding(values.encoding),
    language: readLanguage(values.language) ?? null,
    map: readMap(values.map ?? []),
    full: values.full === true,
  }
  return withWorkplace({ create: true }, (workplace) => interruptible((stop) => importFeed(workplace, settings, stop)))
}

async function importFeed(workplace: Workplace, settings: Settings, stop: AbortSignal): Promise<number> {
  const { config, database } = workplace
  const { path, tenantId, full } = settings
  const feed = await openFeed(path, settings.format, settings.encoding)
  await ensureFirstTenant(workplace)
  const caller = await operatorOf(workplace, tenantId)
  const site = await findSite(workplace, tenantId, settings.site)
  const embedders = openEmbedders(config)
  const progress = new Progress('Importing')
  const report = new ImportReport(progress)
  const onStop = (): void => feed.close()
  stop.addEventListener('abort', onStop)
  try {
    const rules = new ProductRules({ database, embedders, onQueued: () => undefined })
    const place = { siteId: site.id, source: 'import' as const }
    const sync = full ? await FullSync.begin(database, caller, place) : null
    const recordRules = { language: settings.language ?? site.language, map: settings.map }
    const writer = new ProductWriter(rules, caller, { ...place, run: sync?.run ?? null }, sync, report)
    await readAll(feed, writer, recordRules, { progress, report, stop })
    if (!stop.aborted && sync !== null) report.counts.removed += await sync.finish()
    progress.clear()
    process.stdout.write(`${report.summary()}, in ${duration(progress.seconds)}\n`)
    if (stop.aborted) return interrupted()
    const { pending, error } = await makeVectors(
      database,
      embedders,
      tenantId,
      await modelsInUse(database, embedders, tenantId),
      stop,
    )
    if (pending > 0)
      process.stderr.write(`${pending} items still wait for vectors${error === null ? '' : `: ${error}`}.\n`)
    return report.counts.failed > 0 ? 1 : 0
  } finally {
    stop.removeEventListener('abort', onStop)
    feed.close()
    await embedders.close()
  }
}

async function readAll(
  feed: Feed,
  writer: ProductWriter,
  rules: RecordRules,
  { progress, report, stop }: { progress: Progress; report: ImportReport; stop: AbortSignal },
): Promise<void> {
  try {
    for await (const record of feed.records) {
      await writer.take(record, rules)
      progress.update(report.done, feed.fraction())
      if (stop.aborted) return
    }
    await writer.flush()
  } catch (error) {
    // What was in hand when the stream was cut off is imported the next time.
    if (!stop.aborted) throw error
  }
}

/** Checks products and stores them, a batch at a time. */
class ProductWriter {
  readonly #rules: ProductRules
  readonly #caller: Caller
  readonly #place: Parameters<ProductRules['bulk']>[1]
  readonly #sync: FullSync | null
  readonly #report: ImportReport
  #batch: { name: string; product: ProductWrite }[] = []
  #bytes = 0
  #refused: string[] = []

  constructor(
    rules: ProductRules,
    caller: Caller,
    place: Parameters<ProductRules['bulk']>[1],
    sync: FullSync | null,
    report: ImportReport,
  ) {
    this.#rules = rules
    this.#caller = caller
    this.#place = place
    this.#sync = sync
    this.#report = report
  }

  async take(read: FeedRecord, rules: RecordRules): Promise<void> {
    if ('fault' in read) return this.#report.fail(read.name, read.fault)
    const product = recordOf(read.record, rules)
    // A line that says nothing of its state is known by its text, so that it is skipped the next time.
    product.sync_hash ??= createHash('sha256').update(JSON.stringify(product)).digest('hex')
    const unsound = textFaults(product, ['body'])
    const faults = unsound.length > 0 ? unsound : check(product)
    if (faults !== null) this.#refuse(read.name, product, sayFaults(faults))
    else this.#batch.push({ name: read.name, product: product as ProductWrite })
    this.#bytes += read.bytes
    if (this.#batch.length >= BATCH_PRODUCTS || this.#bytes >= BATCH_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    const outcomes = await this.#rules.bulk(
      this.#caller,
      this.#place,
      batch.map(({ product }) => product),
    )
    for (const [i, outcome] of outcomes.entries()) {
      const { name, product } = batch[i]
      if (outcome.status === 'failed') this.#refuse(name, product, sayFaults(outcome.fault.details))
      else this.#report.counts[outcome.status]++
    }
    if (batch.length > 0) this.#sync?.named()
    await this.#sync?.keep(this.#refused)
    this.#refused = []
  }

  #refuse(name: string, product: Readonly<Record<string, unknown>>, reason: string): void {
    this.#report.fail(name, reason)
    if (typeof product.external_id === 'string' && textFaults(product.external_id, []).length === 0)
      this.#refused.push(product.external_id)
  }
}

function interrupted(): number {
  process.stderr.write('Interrupted; nothing is lost. Run the same command again to go on where it stopped.\n')
  return INTERRUPTED
}

async function findSite({ database }: Workplace, tenantId: string, named: string | null) {
  const sites = await listSites(database.queries, tenantId)
  const site = sites.find(({ id, slug, is_default }) =>
    named === null ? is_default === 1 : slug === named || id === named,
  )
  if (site !== undefined) return site
  throw new CommandFailed(`There is no site ${named}. There are: ${sites.map(({ slug }) => slug).join(', ')}`)
}

function readFormat(name: string | undefined): FeedFormat | null {
  if (name === undefined || name === 'auto') return null
  const known = FEED_FORMATS.find((format) => format === name)
  if (known === undefined) throw new UsageError(`--format is one of auto, ${FEED_FORMATS.join(', ')}`)
  return known
}

function readEncoding(name = 'utf-8'): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new UsageError(`There is no encoding ${name}; common ones are utf-8, windows-1252, iso-8859-15, utf-16le`)
  }
}

/** `title=name,external_id=id` as what each column is: name -> title. An empty field leaves the column out. */
function readMap(words: readonly string[]): ReadonlyMap<string, string> {
  const pairs = words
    .flatMap((word) => word.split(','))
    .map((pair) => {
      const [, field, column] = /^([^=]*)=(.+)$/.exec(pair.trim()) ?? []
      if (column === undefined || (field !== '' && !isField(field)))
        throw new UsageError(`--map takes FIELD=COLUMN, where FIELD is one of a product's, not "${pair}"`)
      return [column, field] as const
    })
  return new Map(pairs)
}
