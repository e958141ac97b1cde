import { readdirSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, resolve, sep } from 'node:path'
import type { Caller } from '../../../platform/access/caller.ts'
import { BATCH, type EntryBulkRules } from '../../../knowledge/entries/bulk/bulk-rules.ts'
import type { Progress } from '../progress.ts'
import { pathFault } from '../../../knowledge/categories/path-names.ts'
import { type CategoryPaths, plainPath, type PathCategory } from '../../import/category-paths.ts'
import { type Candidate, writeEntries } from './entry-writer.ts'
import { type FolderFiles, findMarkdown } from './files.ts'
import { readerInside } from './read-inside.ts'
import { isInLanguage, judgeLevels } from '../../import/folder-languages.ts'
import { languageCode, layOut, type Placement, type Root } from '../../import/layout.ts'
import { type MarkdownDefaults, readMarkdown } from '../../import/markdown-entry.ts'
import { type PageFile, UnusableFile } from '../../import/page-file.ts'
import type { ImportReport } from './report.ts'
import { readSections, type Sections, sectionPath } from '../../import/section-pages.ts'

interface FolderImport {
  readonly rules: EntryBulkRules
  readonly caller: Caller
  readonly categories: CategoryPaths
  /** Path of the category below which the folders' categories go. */
  readonly baseCategory: readonly string[]
  /** Stands in for the folder's name in references; null keeps the name. */
  readonly name: string | null
  readonly defaults: MarkdownDefaults
  readonly prune: boolean
  readonly dryRun: boolean
  readonly report: ImportReport
  readonly progress: Progress
  readonly stop: AbortSignal
}

/**
 * Imports a folder of Markdown, or one file as if it were alone in its folder.
 * @returns false after an interruption
 */
export async function importFolder(path: string, isFile: boolean, job: FolderImport): Promise<boolean> {
  const root = resolve(isFile ? dirname(path) : path)
  const folderFiles = isFile ? await oneFile(path) : await findMarkdown(root)
  const { report } = job
  report.leave(folderFiles.others)
  for (const { path, reason } of folderFiles.skipped) report.fail(path, reason)
  if (folderFiles.files.length === 0 && folderFiles.skipped.length === 0)
    report.fail(path, `no Markdown (.md, .markdown) in ${root}`)
  const placements = layOut(
    await rootOf(root, folderFiles.files, job),
    folderFiles.files.map((file) => file.segments),
    await languageLevels(folderFiles.files, job),
  )
  const sections = await readSections(folderFiles.files, placements)
  for (let i = 0; i < folderFiles.files.length; i += BATCH.lines) {
    if (job.stop.aborted) return false
    const batch = folderFiles.files.slice(i, i + BATCH.lines)
    const candidates = await Promise.all(batch.map((file, j) => candidateOf(file, placements[i + j], sections, job)))
    const readable = await withCategories(
      candidates.flatMap((candidate) => candidate ?? []),
      job,
    )
    await writeEntries(job.rules, job.caller, readable, report, job.dryRun)
    job.progress.update(report.done, Math.min(1, (i + batch.length) / folderFiles.files.length))
  }
  if (!isFile) await handleRemoved(folderFiles, placements, `${job.name ?? basename(root)}/`.normalize('NFC'), job)
  return !job.stop.aborted
}

/** Returns a single file of the command line, as the files of a folder. It may be a link. */
async function oneFile(path: string): Promise<FolderFiles> {
  const real = await realpath(path)
  const file = { path: real, segments: [basename(path)], read: readerInside(dirname(real), real) }
  return { files: [file], skipped: [], others: new Map(), complete: true }
}

async function rootOf(
  root: string,
  files: readonly PageFile[],
  { name, defaults }: Pick<FolderImport, 'name' | 'defaults'>,
): Promise<Root> {
  const names = root.split(sep).filter((part) => part !== '')
  if (names.length === 0) names.push('root')
  const ownName = names[names.length - 1]
  const mayBeLanguage = name === null && defaults.language === undefined && languageCode(ownName) !== null
  const isLanguage = mayBeLanguage && standsAmongLanguages(root) && (await isInLanguage(ownName, files))
  return { names: name === null ? names : [...names.slice(0, -1), name], isLanguage }
}

/**
 * Returns the paths of levels that are languages, none with --language. Reports levels that are only named like ones.
 */
async function languageLevels(
  files: readonly PageFile[],
  { defaults, report }: Pick<FolderImport, 'defaults' | 'report'>,
): Promise<ReadonlySet<string>> {
  const judged = await judgeLevels(files)
  const isNamed = defaults.language !== undefined
  for (const { names, isOfLanguages } of judged) {
    const what =
      names.length === 1 ? `the folder ${names[0]} is a category` : `the folders ${listed(names)} are categories`
    if (isNamed) report.note(`${what}, as --language says ${defaults.language}`)
    else if (!isOfLanguages) {
      const [example] = names
      report.note(
        `${what}: nothing in the pages shows that they are in these languages. ` +
          `If they are, state the language in the front matter of one page of each, such as language: ${example}`,
      )
    }
  }
  return new Set(isNamed ? [] : judged.flatMap(({ prefix, isOfLanguages }) => (isOfLanguages ? [prefix] : [])))
}

function listed(names: readonly string[]): string {
  const some = names.slice(0, 5)
  return names.length > some.length
    ? `${some.join(', ')} and ${names.length - some.length} more`
    : `${some.slice(0, -1).join(', ')} and ${some.at(-1)}`
}

/** Tells whether this folder and all folders beside it are named like language codes. */
function standsAmongLanguages(root: string): boolean {
  try {
    return readdirSync(dirname(root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .every((entry) => languageCode(entry.name) !== null)
  } catch {
    return false
  }
}

/** A candidate whose category is still a path. */
interface PathCandidate extends Candidate {
  readonly categories: readonly PathCategory[]
}

async function candidateOf(
  file: PageFile,
  placement: Placement,
  sections: Sections,
  job: FolderImport,
): Promise<PathCandidate | null> {
  const below = isOwnFolder(placement, job) ? [] : sectionPath(placement.categories, sections)
  const categories = [...plainPath(job.baseCategory), ...below]
  try {
    const fault = pathFault(categories.map(({ name }) => name))
    if (fault !== null) throw new UnusableFile(fault, 'category')
    return { name: file.path, entry: { ...(await readMarkdown(file, placement, job.defaults)) }, categories }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    job.report.fail(file.path, error.message)
    return null
  }
}

/** Tells whether a file has no category of its own: with --category, files at the top go right into that category. */
function isOwnFolder(placement: Placement, { baseCategory }: FolderImport): boolean {
  return baseCategory.length > 0 && placement.isTop
}

async function withCategories(paths: readonly PathCandidate[], { categories }: FolderImport): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  for (const { name, entry, categories: path } of paths) {
    candidates.push({ name, entry: { ...entry, category_id: await categories.idOf(path) } })
  }
  return candidates
}

/** Reports entries that lost their files, and removes these entries with --prune. */
async function handleRemoved(
  folderFiles: FolderFiles,
  placements: readonly Placement[],
  prefix: string,
  job: FolderImport,
): Promise<void> {
  if (job.stop.aborted) return
  const { rules, caller, report } = job
  const present = new Set(placements.map(({ reference }) => reference))
  const gone = (await rules.importedBelow(caller, prefix)).filter((row) => !present.has(row.source_reference))
  if (gone.length === 0) return
  // An empty or unreadable folder is more likely a mistake than a wish to remove everything.
  const refusal = !folderFiles.complete
    ? 'some folders could not be read'
    : folderFiles.files.length === 0
      ? 'the folder has no Markdown at all'
      : null
  const what = `${gone.length} entr${gone.length === 1 ? 'y has lost its file' : 'ies have lost their files'}`
  if (!job.prune || refusal !== null) {
    for (const { source_reference: reference } of gone) report.note(`file is gone: ${reference}`)
    if (!job.prune) report.note(`${what}. Import again with --prune to remove them.`)
    else report.note(`${what}, but nothing was removed: ${refusal}.`)
    return
  }
  for (let i = 0; i < gone.length && !job.stop.aborted; i += BATCH.lines) {
    const batch = gone.slice(i, i + BATCH.lines)
    const ids = batch.map(({ id }) => id)
    if (!job.dryRun) await rules.removeAll(caller, ids)
    for (const { source_reference: reference } of batch) {
      report.note(`${job.dryRun ? 'would be removed' : 'removed'}: ${reference}`)
    }
    report.counts.removed += batch.length
  }
}
