import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { openEmbedders } from '../../composition/open-embedders.ts'
import type { SyncOutcome } from '../../shop/products/bulk/full-sync.ts'
import { sayRefusal } from '../../shop/products/bulk/full-sync-words.ts'
import {
  MAX_RETIRED_DEFAULT,
  MAX_RETIRED_PATTERN,
  type MaxRetired,
  readMaxRetired,
} from '../../shop/products/bulk/max-retired.ts'
import type { ProductPush } from '../../shop/products/bulk/push-rules.ts'
import { ProductRules } from '../../shop/products/rules.ts'
import { everySite } from '../../shop/sites/rules.ts'
import { type CommandLine, type Option, readArguments, refuseMore, TENANT_OPTION } from './arguments.ts'
import { FEED_FORMATS, type FeedFormat } from '../import/feeds/feed-format.ts'
import { isField } from '../import/feeds/record.ts'
import { GROUP_NAMES, updatableFields } from '../import/feeds/update.ts'
import { CURRENCY_DEFAULT, WRITTEN_FIELDS } from '../../shop/products/contract.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { makeImportedVectors, unreadText } from './embedding-wait.ts'
import { CommandFailed, UsageError } from './failure.ts'
import { ImportReport } from './import/report.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { readLanguage } from './language.ts'
import { openFeed } from './products/feed.ts'
import { FeedLines, type UpdatedFields } from './products/feed-lines.ts'
import { printable } from './printable.ts'
import { duration, Progress } from './progress.ts'
import { ensureFirstTenant, operatorOf, withContext, type Context } from './context.ts'

/** Most fields and properties that the summary names as emptied. */
const SHOWN_FIELDS_MAX = 20

const OPTIONS = {
  ...TENANT_OPTION,
  site: { type: 'string', value: 'SLUG', help: 'site the products belong to (default: the default site)' },
  format: { type: 'string', value: 'NAME', help: 'auto, json, jsonl, csv or google-xml (default: auto)' },
  map: {
    type: 'string',
    value: 'FIELD=COLUMN,…',
    help: 'which column of the file is which field, such as title=name',
    multiple: true,
  },
  language: { type: 'string', value: 'CODE', help: "language of products that state none (default: the site's)" },
  encoding: { type: 'string', value: 'NAME', help: 'encoding of CSV and XML, such as windows-1252 (default: utf-8)' },
  full: { type: 'boolean', help: 'the file is complete: retire products of earlier imports that it lacks' },
  'max-retired': {
    type: 'string',
    value: 'N|N%',
    help:
      'with --full: retire none when more would go ' +
      `(default: ${MAX_RETIRED_DEFAULT.percent}%, or ${MAX_RETIRED_DEFAULT.atLeast} where that is more)`,
  },
  update: {
    type: 'string',
    value: 'FIELD,…',
    help: 'only change these fields of products that the site has, such as price,availability',
    multiple: true,
  },
  'dry-run': { type: 'boolean', help: 'only show what would be done' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'import-products FILE [options]',
  about:
    'Imports a product feed into a site: JSON (a list of objects), JSON Lines, CSV with column names, or Google\n' +
    'Merchant XML; also gzipped, or - for standard input. Columns that are not a field become properties.\n' +
    'Importing again skips unchanged products. With --update only some fields of products that the site has change;\n' +
    'other products of the file are named and not made. Works while the service runs.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

interface Settings {
  readonly path: string
  readonly tenantId: string
  readonly site: string | null
  readonly format: FeedFormat | null
  readonly encoding: string
  readonly language: string | null
  readonly map: ReadonlyMap<string, string>
  readonly full: boolean
  readonly maxRetired: MaxRetired
  readonly dryRun: boolean
  readonly update: UpdatedFields | null
}

/** Imports a feed. @returns exit code 0; 1 when something could not be imported, 130 after an interruption */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  const [path, ...more] = words.positionals
  if (path === undefined)
    throw new UsageError(`Nothing to import: name a file. See: ${calledAs('import-products --help')}`)
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
    maxRetired: readMax(values['max-retired'], values.full === true),
    dryRun: values['dry-run'] === true,
    update: readUpdate(values.update),
  }
  const { update, full, language } = settings
  if (update !== null && (full || language !== null))
    throw new UsageError(`--update changes what the site has, so it takes no --${full ? 'full' : 'language'}`)
  return withContext(call, { create: true }, (context) => interruptible((stop) => importFeed(context, settings, stop)))
}

async function importFeed(context: Context, settings: Settings, stop: AbortSignal): Promise<number> {
  const { config, database, call } = context
  const { path, tenantId, full, maxRetired, dryRun, map, update } = settings
  const feed = await openFeed(path, settings.format, settings.encoding, call)
  await ensureFirstTenant(context)
  const caller = await operatorOf(context, tenantId)
  const { site, others } = await findSite(context, tenantId, settings.site)
  const embedders = openEmbedders(config)
  const progress = new Progress(dryRun ? 'Comparing' : update === null ? 'Importing' : 'Updating', call.stderr)
  const report = new ImportReport(progress)
  const onStop = (): void => feed.close()
  stop.addEventListener('abort', onStop)
  try {
    const rules = new ProductRules({ database, embedders, onQueued: () => undefined })
    const target = { site: site.id, source: 'import', dryRun, maxRetired: full ? maxRetired : null } as const
    const { tally } = feed
    const push = await rules.beginPush(caller, target, { tally, renewCaller: () => Promise.resolve(caller) })
    const recordRules = { language: settings.language ?? site.language, map }
    const lines = new FeedLines(feed, recordRules, { update, progress, report, stop })
    await pushAll(push, lines, stop)
    const cut = tally.isOver ? tally.reason : lines.cut
    const isWhole = cut === null && !stop.aborted
    if (!isWhole) await push.breakOff(tally.isHopeless ? tally.reason : null)
    const outcome = isWhole ? await push.finish() : null
    const refusal = outcome === null ? null : tellEnd(outcome, report)
    if (isWhole) for (const line of aboutFeed(lines, report, update !== null)) report.note(line)
    if (lines.absent > 0 && settings.site === null && others.length > 0)
      report.note(
        `Without --site, products of the default site ${site.slug} are updated. The other sites are: ${others.join(', ')}`,
      )
    progress.clear()
    const took = duration(progress.seconds)
    call.stdout.write(`${dryRun ? 'Nothing was written. It would be: ' : ''}${report.summary()}, in ${took}\n`)
    if (lines.currencies.size > 0) call.stdout.write(`${currenciesOf(lines)}\n`)
    if (lines.emptied.size > 0) call.stdout.write(`${emptiedOf(lines, dryRun)}\n`)
    if (stop.aborted) return interrupted(call)
    if (!dryRun) await finishVectors(context, embedders, tenantId, stop)
    if (cut !== null) throw new CommandFailed(full ? `${cut}\nNothing was retired.` : cut)
    if (refusal !== null) throw new CommandFailed(refusal)
    return report.counts.failed > 0 ? 1 : 0
  } finally {
    stop.removeEventListener('abort', onStop)
    feed.close()
    await embedders.close()
  }
}

/** Stores all readable products of the feed, until `stop` is aborted. */
async function pushAll(push: ProductPush, lines: FeedLines, stop: AbortSignal): Promise<void> {
  try {
    for await (const batch of push.run(lines.read())) lines.tell(batch)
  } catch (error) {
    // After an interruption the next import stores the products of the open batch.
    if (!stop.aborted) throw error
  }
}

/**
 * Reports the result of a full sync.
 * @returns why products that the feed lacks were not retired, and what to do; null when nothing was refused
 */
function tellEnd(outcome: SyncOutcome, report: ImportReport): string | null {
  const { retired, unnamed, externalIds, refusal, isDryRun } = outcome
  report.counts.removed += isDryRun && refusal === null ? unnamed : retired
  if (unnamed > 0 && (isDryRun || refusal !== null)) {
    const more = unnamed > externalIds.length ? `, and ${unnamed - externalIds.length} more` : ''
    report.note(`not in the feed: ${externalIds.join(', ')}${more}`)
  }
  return sayRefusal(outcome, { option: '--max-retired ' })
}

async function finishVectors(
  context: Context,
  embedders: EmbedderPool,
  tenantId: string,
  stop: AbortSignal,
): Promise<void> {
  const { call } = context
  const { pending, error, unread } = await makeImportedVectors(context, embedders, tenantId, stop)
  if (unread > 0) call.stderr.write(unreadText(unread))
  if (pending > 0) call.stderr.write(`${pending} items still wait for vectors${error === null ? '' : `: ${error}`}.\n`)
}

/** Returns warnings about the feed, before a nightly import goes wrong again and again. */
function aboutFeed(
  { unnamed, missing, missingUpdates, unreadPrices }: FeedLines,
  { done }: ImportReport,
  isUpdate: boolean,
): string[] {
  if (done === 0) return ['There is no product in the feed.']
  const lines = [
    ...Array.from(missing, (column) => `--map names the column "${column}", which the feed does not have.`),
    ...Array.from(missingUpdates, (name) => `--update names "${name}", for which the feed has no column.`),
  ]
  if (unreadPrices.count > 0) {
    const [price, they] = unreadPrices.count === 1 ? ['price', 'it is'] : ['prices', 'they are']
    const outcome = isUpdate ? 'the products keep theirs' : `${they} kept as a property`
    lines.push(`${unreadPrices.count} ${price} cannot be read, such as "${unreadPrices.first}"; ${outcome}.`)
  }
  if (unnamed > 0) {
    const [have, them] = unnamed === 1 ? ['1 product has', 'it'] : [`${unnamed} products have`, 'them']
    lines.push(
      `${have} no external_id, so importing the file again adds ${them} again. ` +
        'Which column is it? --map external_id=COLUMN',
    )
  }
  return lines
}

/**
 * Writes in one line how many products with a price have which currency, most frequent first, and how many have none.
 */
function currenciesOf({ currencies }: FeedLines): string {
  const unnamed = currencies.get(null) ?? 0
  const counts = new Map<string, number>()
  for (const [currency, count] of currencies) {
    const code = currency ?? CURRENCY_DEFAULT
    counts.set(code, (counts.get(code) ?? 0) + count)
  }
  const byCount = [...counts].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1))
  const summary = `Currencies: ${byCount.map(([code, count]) => `${count} ${code}`).join(', ')}`
  return printable(
    unnamed === 0 ? summary : `${summary}; ${unnamed} of them named none, which is taken as ${CURRENCY_DEFAULT}`,
  )
}

/**
 * Names in one line the fields and properties that whole products emptied, because the feed has no value for them, most
 * frequent first.
 */
function emptiedOf({ emptied, isEmptiedCut }: FeedLines, dryRun: boolean): string {
  const fields = [...emptied]
    .toSorted(([a, i], [b, j]) => j - i || (a < b ? -1 : 1))
    .map(([field, count]) => `${columnOf(field)} of ${count === 1 ? '1 product' : `${count} products`}`)
  const shown = fields.slice(0, SHOWN_FIELDS_MAX).join(', ')
  const more = fields.length - SHOWN_FIELDS_MAX
  const rest = more <= 0 ? '' : ` and ${isEmptiedCut ? 'more than ' : ''}${more} more`
  return printable(
    `${dryRun ? 'It would empty' : 'Emptied'}, since the feed has no value for it: ${shown}${rest}. ` +
      'To keep what a feed lacks, name the fields that it should change with --update',
  )
}

/** Names a property as its column of the feed, unless a field has that name. */
function columnOf(field: string): string {
  const name = field.startsWith('properties.') ? field.slice('properties.'.length) : field
  return Object.hasOwn(WRITTEN_FIELDS, name) ? field : name
}

function interrupted(call: CommandCall): number {
  call.stderr.write('Interrupted; nothing is lost. Run the same command again to continue where it stopped.\n')
  return INTERRUPTED
}

/** Finds a site, or the default one, with the slugs of the other sites. @throws CommandFailed */
async function findSite({ database }: Context, tenantId: string, slugOrId: string | null) {
  const sites = await everySite(database.queries, tenantId)
  const site = sites.find(({ id, slug, is_default }) =>
    slugOrId === null ? is_default === 1 : slug === slugOrId || id === slugOrId,
  )
  if (site !== undefined) return { site, others: sites.filter((each) => each !== site).map(({ slug }) => slug) }
  throw new CommandFailed(`There is no site ${slugOrId}. The sites are: ${sites.map(({ slug }) => slug).join(', ')}`)
}

function readFormat(name: string | undefined): FeedFormat | null {
  if (name === undefined || name === 'auto') return null
  const feedFormat = FEED_FORMATS.find((format) => format === name)
  if (feedFormat === undefined) throw new UsageError(`--format must be one of auto, ${FEED_FORMATS.join(', ')}`)
  return feedFormat
}

function readMax(text: string | undefined, full: boolean): MaxRetired {
  if (text === undefined) return MAX_RETIRED_DEFAULT
  if (!full) throw new UsageError('--max-retired needs --full')
  if (!new RegExp(MAX_RETIRED_PATTERN).test(text))
    throw new UsageError('--max-retired takes a number of products, or a percentage such as 25%')
  return readMaxRetired(text)
}

/** Reads `price,availability` as fields by name; null without the option. */
function readUpdate(words: readonly string[] | undefined): UpdatedFields | null {
  if (words === undefined) return null
  const names = words.flatMap((word) => word.split(',')).map((name) => name.trim())
  return new Map(
    names.map((name) => {
      const fields = updatableFields(name)
      if (fields === null)
        throw new UsageError(
          `--update takes ${GROUP_NAMES.join(', ')} and fields of products that can change, not "${name}"`,
        )
      return [name, fields]
    }),
  )
}

function readEncoding(name = 'utf-8'): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new UsageError(`There is no encoding ${name}; common ones are utf-8, windows-1252, iso-8859-15, utf-16le`)
  }
}

/** Reads `title=name,external_id=id` as fields by column: name → title. An empty field leaves the column out. */
function readMap(words: readonly string[]): ReadonlyMap<string, string> {
  const pairs = words
    .flatMap((word) => word.split(','))
    .map((pair) => {
      const [, field, column] = /^([^=]*)=(.+)$/.exec(pair.trim()) ?? []
      if (column === undefined || (field !== '' && !isField(field)))
        throw new UsageError(`--map takes FIELD=COLUMN, where FIELD is a field of products, not "${pair}"`)
      return [column, field] as const
    })
  return new Map(pairs)
}
