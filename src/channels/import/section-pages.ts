import type { Placement } from './layout.ts'
import { readPage, statedTitle } from './markdown-entry.ts'
import { type PageFile, UnusableFile } from './page-file.ts'
import type { PathCategory } from './category-paths.ts'
import { pathFault } from '../../knowledge/categories/path-names.ts'

/** Names of pages that describe their folder: Hugo's, then those that people read on a code host. */
const SECTION_PAGES = [/^_index(?:\.[a-z]{2}(?:[-_][a-z]{2})?)?\.(?:md|markdown)$/i, /^readme\.(?:md|markdown)$/i]

/** The title and weight of a folder, from the page that describes it. */
interface Section {
  readonly title: string | null
  /** Hugo's weight: lighter folders come first, and those without a weight last. */
  readonly weight: number | null
}

/** The categories of an import, by the path of their folders. */
export type Sections = ReadonlyMap<string, PathCategory>

/**
 * Reads the categories of an import from the pages that describe its folders: title and weight of `_index.md`, else of
 * `README.md`. Of pages in several languages, the one in the language with most pages counts.
 */
export async function readSections(files: readonly PageFile[], placements: readonly Placement[]): Promise<Sections> {
  const sectionsByPath = new Map<string, Section>()
  for (const place of descriptions(files, placements)) {
    const key = keyOf(placements[place].categories)
    const { title = null, weight = null } = sectionsByPath.get(key) ?? {}
    if (title !== null && weight !== null) continue
    const section = await sectionOf(files[place])
    if (section !== null) sectionsByPath.set(key, { title: title ?? section.title, weight: weight ?? section.weight })
  }
  return sectionsFrom(
    placements.map(({ categories }) => categories),
    sectionsByPath,
  )
}

/** Returns the places of pages that describe a folder, in the order in which their titles and weights count. */
function descriptions(files: readonly PageFile[], placements: readonly Placement[]): number[] {
  const pages = new Map<string | null, number>()
  for (const { language } of placements) pages.set(language, (pages.get(language) ?? 0) + 1)
  const candidates = files.flatMap(({ segments }, place) => {
    const kind = SECTION_PAGES.findIndex((name) => name.test(segments.at(-1)!))
    return kind < 0 ? [] : [{ place, kind, pages: pages.get(placements[place].language) ?? 0 }]
  })
  return candidates.sort((a, b) => b.pages - a.pages || a.kind - b.kind || a.place - b.place).map(({ place }) => place)
}

async function sectionOf(file: PageFile): Promise<Section | null> {
  try {
    const { fields, content } = await readPage(file)
    const { weight } = fields
    return {
      title: statedTitle(fields, content)?.trim() ?? null,
      weight: Number.isInteger(weight) && Number(weight) > 0 && Number(weight) < 2 ** 31 - 1 ? Number(weight) : null,
    }
  } catch (error) {
    // The import itself reports the file.
    if (error instanceof UnusableFile) return null
    throw error
  }
}

/**
 * Returns the category of every folder. Its name is the title of the folder; without a title, or when a neighbour has
 * the title already or no category can have it, the name of the folder. Folders without a weight come after neighbours
 * with one.
 * @param paths names of folders, outermost first
 * @param sectionsByPath titles and weights of folders, by the path of the folder
 */
export function sectionsFrom(
  paths: readonly (readonly string[])[],
  sectionsByPath: ReadonlyMap<string, Section>,
): Sections {
  const levels = new Map<string, Set<string>>()
  for (const path of paths) {
    for (const [i, folder] of path.entries()) {
      const above = keyOf(path.slice(0, i))
      const level = levels.get(above) ?? new Set()
      levels.set(above, level.add(folder))
    }
  }
  const categories = new Map<string, PathCategory>()
  for (const [above, folders] of levels) {
    const keyed = [...folders].map((folder) => ({ folder, key: above === '' ? folder : `${above}/${folder}` }))
    const heaviest = keyed.reduce((most, { key }) => Math.max(most, sectionsByPath.get(key)?.weight ?? 0), 0)
    const names = new Set(folders)
    for (const { folder, key } of keyed) {
      const { title = null, weight = null } = sectionsByPath.get(key) ?? {}
      const isFree = title !== null && !names.has(title) && pathFault([title]) === null
      if (isFree) names.add(title)
      categories.set(key, {
        name: isFree ? title : folder,
        folder,
        order: weight ?? (heaviest === 0 ? null : heaviest + 1),
      })
    }
  }
  return categories
}

/** Returns the categories of a path of folders. */
export function sectionPath(folders: readonly string[], sections: Sections): PathCategory[] {
  return folders.map(
    (folder, i) => sections.get(keyOf(folders.slice(0, i + 1))) ?? { name: folder, folder, order: null },
  )
}

/** Joins the path of a folder to a key: names of folders have no slash. */
function keyOf(folders: readonly string[]): string {
  return folders.join('/')
}
