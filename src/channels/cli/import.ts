import { statSync, type Stats } from 'node:fs'
import { VISIBILITIES } from '../../platform/access/visibility.ts'
import { CategoryRules } from '../../knowledge/categories/rules.ts'
import { openEmbedders } from '../../composition/open-embedders.ts'
import { EntryBulkRules } from '../../knowledge/entries/bulk/bulk-rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import { type CommandLine, readArguments, TENANT_OPTION, type Option } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { makeImportedVectors, modelsInUse, unreadText } from './embedding-wait.ts'
import { CommandFailed, UsageError } from './failure.ts'
import { CategoryPaths } from '../import/category-paths.ts'
import { readTemplate } from './import/address-template.ts'
import { readCategoryPath, categoryAccess } from './import/category-access.ts'
import { importFolder } from './import/folder.ts'
import { importLines, openLines } from './import/json-lines.ts'
import type { MarkdownDefaults } from '../import/markdown-entry.ts'
import { ImportReport } from './import/report.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { readLanguage } from './language.ts'
import { printable } from './printable.ts'
import { duration, Progress } from './progress.ts'
import { ensureFirstTenant, operatorOf, withContext, type Context } from './context.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  category: { type: 'string', value: 'NAME', help: 'put everything below this category, such as "Manuals/Printers"' },
  language: {
    type: 'string',
    value: 'CODE',
    help: "language of entries that state none, whatever their folder's name (default: the folder's or the tenant's)",
  },
  visibility: { type: 'string', value: 'LEVEL', help: 'visibility of entries that state none (default: internal)' },
  url: {
    type: 'string',
    value: 'ADDRESS',
    help: 'where pages are published, such as https://example.com/docs/{path}, for links to them',
  },
  name: { type: 'string', value: 'NAME', help: "first part of source references, instead of the folder's name" },
  prune: { type: 'boolean', help: 'remove entries whose files are gone from the folder' },
  'dry-run': { type: 'boolean', help: 'only show what would be done' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'import PATH… [options]',
  about:
    'Imports folders of Markdown, single Markdown files, and JSON Lines (FILE.jsonl, or - for standard input):\n' +
    'entries in the format of the API, or the export of a tenant, which is restored.\n' +
    'Importing again updates changed entries and creates no duplicates. Works while the service runs.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

interface Source {
  readonly path: string
  readonly kind: 'folder' | 'markdown' | 'lines'
}

/** Imports all sources. @returns exit code 0; 1 when something could not be imported, 130 after an interruption */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  const { values, positionals } = words
  const sources = positionals.map(sourceOf)
  if (sources.length === 0)
    throw new UsageError(`Nothing to import: name a folder or file. See: ${calledAs('import --help')}`)
  if (values.name !== undefined && (sources.length > 1 || /[/\\]|^\.{0,2}$/.test(values.name)))
    throw new UsageError('--name takes a plain name, and works with one folder only')
  if (values.prune === true && sources.some(({ kind }) => kind !== 'folder'))
    throw new UsageError('--prune works with folders only')
  if (values.url !== undefined && sources.some(({ kind }) => kind === 'lines'))
    throw new UsageError('--url works with folders and Markdown files only; lines have a url of their own')
  const { visibility } = values
  if (visibility !== undefined && (visibility === 'personal' || !VISIBILITIES.some((level) => level === visibility)))
    throw new UsageError('--visibility must be one of public, community, internal, workspace, restricted')
  const settings = {
    tenantId: values.tenant ?? 'default',
    baseCategory: values.category === undefined ? [] : readCategoryPath(values.category),
    defaults: {
      visibility,
      language: readLanguage(values.language),
      url: values.url === undefined ? undefined : readTemplate(values.url),
    },
    name: values.name ?? null,
    prune: values.prune === true,
    dryRun: values['dry-run'] === true,
  }
  return withContext(call, { create: true }, (context) =>
    interruptible((stop) => importAll(context, sources, settings, stop)),
  )
}

type Settings = {
  readonly tenantId: string
  readonly baseCategory: readonly string[]
  readonly defaults: MarkdownDefaults
  readonly name: string | null
  readonly prune: boolean
  readonly dryRun: boolean
}

async function importAll(
  context: Context,
  sources: readonly Source[],
  settings: Settings,
  stop: AbortSignal,
): Promise<number> {
  const { config, database, call } = context
  const { tenantId, dryRun } = settings
  const embedders = openEmbedders(config)
  const progress = new Progress(dryRun ? 'Comparing' : 'Importing', call.stderr)
  const report = new ImportReport(progress)
  try {
    const rules = new EntryBulkRules({ database, embedders, onQueued: () => undefined })
    const unread: string[] = []
    for (const { path, kind } of sources) {
      if (stop.aborted) break
      if (kind === 'lines') {
        const lines = await openLines(path, call)
        const reason = await importLines(lines, { ...settings, context, rules, embedders, report, progress, stop })
        if (reason !== null) unread.push(reason)
      } else {
        await ensureFirstTenant(context)
        await modelsInUse(database, embedders, tenantId)
        const caller = await operatorOf(context, tenantId)
        const categories = await CategoryPaths.load(categoryAccess(new CategoryRules(database), caller), dryRun)
        const job = { ...settings, rules, caller, categories, report, progress, stop }
        await importFolder(path, kind === 'markdown', job)
      }
    }
    progress.clear()
    const took = duration(progress.seconds)
    call.stdout.write(`${dryRun ? 'Nothing was written. It would be: ' : ''}${report.summary()}, in ${took}\n`)
    if (report.done > 0) {
      const { language } = parseSettings((await requireTenant(database.queries, tenantId)).settings)
      for (const line of report.details(language)) call.stdout.write(`${printable(line)}\n`)
      if (report.unnamedLanguages > 0) sayLanguage(call, language, report.unnamedLanguages)
    }
    if (stop.aborted) return interrupted(call)
    if (!dryRun && !(await finishVectors(context, embedders, tenantId, stop))) return interrupted(call)
    if (unread.length > 0) throw new CommandFailed(unread.join('\n'))
    return report.counts.failed > 0 ? 1 : 0
  } finally {
    await embedders.close()
  }
}

/** Warns about an assumed language: a wrong one means wrong stemming and fewer hits by keyword. */
function sayLanguage(call: CommandCall, language: string, count: number): void {
  const what = count === 1 ? '1 entry does' : `${count} entries do`
  call.stderr.write(`${what} not tell a language; ${language}, the tenant's, was used. --language sets another.\n`)
}

function interrupted(call: CommandCall): number {
  call.stderr.write('Interrupted; nothing is lost. Run the same command again to continue where it stopped.\n')
  return INTERRUPTED
}

/** Waits for the vectors of the import. @returns false after an interruption */
async function finishVectors(
  context: Context,
  embedders: ReturnType<typeof openEmbedders>,
  tenantId: string,
  stop: AbortSignal,
): Promise<boolean> {
  const { call } = context
  const { pending, error, unread } = await makeImportedVectors(context, embedders, tenantId, stop)
  if (unread > 0) call.stderr.write(unreadText(unread))
  if (pending === 0) return true
  if (stop.aborted) {
    call.stderr.write(`${pending} items still wait for vectors; the service computes them when it runs.\n`)
    return false
  }
  call.stderr.write(
    `${pending} items still wait for vectors and are found by keyword meanwhile. The embedding provider reported: ` +
      `${error}. The service keeps trying when it runs.\n`,
  )
  return true
}

function sourceOf(path: string): Source {
  if (path === '-') return { path, kind: 'lines' }
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(code === 'ENOENT' ? `There is no ${path}` : `Cannot read ${path} (${code})`)
  }
  if (stats.isDirectory()) return { path, kind: 'folder' }
  if (/\.(?:md|markdown)$/i.test(path)) return { path, kind: 'markdown' }
  if (/\.(?:jsonl|ndjson|json)$/i.test(path) || stats.isFIFO()) return { path, kind: 'lines' }
  throw new UsageError(`${path} is neither a folder nor a file of Markdown (.md) or JSON Lines (.jsonl)`)
}
