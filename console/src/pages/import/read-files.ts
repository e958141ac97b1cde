import type { ChosenFile } from '../../parts/fields/folder-drop.tsx'
import type { ImportOptions, ReadItem } from './read-item.ts'
import { readEntryLines } from './read-lines.ts'
import {
  type CategoryPaths,
  FILE_BYTES_MAX,
  judgeLevels,
  layOut,
  pathFault,
  type PageFile,
  readMarkdown,
  readSections,
  tooLarge,
  UnusableFile,
  sectionPath,
} from './shared.js'

export const isPage = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)
export const isLines = (path: string): boolean => /\.(?:jsonl|ndjson)$/i.test(path)

/** Reads all chosen files, as the command line would: folder after folder, then files of lines. */
export async function* readChosen(
  chosen: readonly ChosenFile[],
  options: ImportOptions,
  categories: CategoryPaths,
): AsyncGenerator<ReadItem> {
  const folders = new Map<string, PageFile[]>()
  for (const { path, file } of chosen.filter((each) => isPage(each.path)).sort(byPath)) {
    const [first, ...rest] = path.split('/')
    const folder = rest.length === 0 ? options.folder : (first ?? '')
    const page = { path, segments: rest.length === 0 ? [path] : rest, read: readerOf(file), size: file.size }
    folders.set(folder, [...(folders.get(folder) ?? []), page])
  }
  for (const [folder, pages] of folders) yield* readFolder(folder, pages, options, categories)
  for (const each of chosen) if (isLines(each.path)) yield* readEntryLines(each, options, categories)
}

async function* readFolder(
  folder: string,
  pages: readonly PageFile[],
  { visibility }: ImportOptions,
  categories: CategoryPaths,
): AsyncGenerator<ReadItem> {
  const levels = (await judgeLevels(pages)).filter(({ isOfLanguages }) => isOfLanguages)
  const placements = layOut(
    { names: [folder], isLanguage: false },
    pages.map(({ segments }) => segments),
    new Set(levels.map(({ prefix }) => prefix)),
  )
  const sections = await readSections(pages, placements)
  for (const [i, page] of pages.entries()) {
    const placement = placements[i]
    if (placement === undefined) continue
    const place = { file: page.path, line: null, bytes: (page as PageFile & { size: number }).size, raw: null }
    try {
      const path = sectionPath(placement.categories, sections)
      if (pathFault(path.map(({ name }) => name)) !== null) throw new UnusableFile('', 'category')
      const entry = await readMarkdown(page, placement, { visibility, language: undefined, url: undefined })
      yield { ...place, entry: { ...entry, category_id: await categories.idOf(path) }, fault: null }
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error
      yield { ...place, entry: null, fault: error.reason }
    }
  }
}

function readerOf(file: File): PageFile['read'] {
  return async (bytesMax) => {
    if (bytesMax === undefined && file.size > FILE_BYTES_MAX) throw tooLarge(file.size)
    try {
      return new Uint8Array(await (bytesMax === undefined ? file : file.slice(0, bytesMax)).arrayBuffer())
    } catch {
      throw new UnusableFile('it cannot be read')
    }
  }
}

/** Compares paths, with the same order on every machine, whatever its language. */
function byPath({ path: one }: ChosenFile, { path: other }: ChosenFile): number {
  const [a, b] = [one, other].map((path) => path.replaceAll('/', '\u0000')) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}
