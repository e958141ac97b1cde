import type { Placement } from './layout.ts'
import { readPage, statedTitle } from './markdown-entry.ts'
import { type PageFile, UnusableFile } from './page-file.ts'
import type { WantedCategory } from './category-paths.ts'
import { pathFault } from '../../knowledge/categories/path-names.ts'

/** Pages that speak for their folder: Hugo's, then those that people read on a code host. */
const SECTION_PAGES = [/^_index(?:\.[a-z]{2}(?:[-_][a-z]{2})?)?\.(?:md|markdown)$/i, /^readme\.(?:md|markdown)$/i]

/** What the page of a folder says about it. */
interface Section {
  readonly title: string | null
  /** Hugo's weight: lighter folders come first, and those without a weight last. */
  readonly weight: number | null
}

/** The categories of an import by the path of their folders. */
export type Sections = ReadonlyMap<string, WantedCategory>

/**
 * Reads the names and places that people gave to the folders of an import: title and weight of `_index.md`, else of
 * `README.md`. Of several languages, the one with most pages speaks for a folder.
 */
export async function readSections(files: readonly PageFile[], placements: readonly Placement[]): Promise<Sections> {
  const said = new Map<string, Section>()
  for (const place of speakers(files, placements)) {
    const key = keyOf(placements[place].categories)
    const { title = null, weight = null } = said.get(key) ?? {}
    if (title !== null && weight !== null) continue
    const section = await sectionOf(files[place])
    if (section !== null) said.set(key, { title: title ?? section.title, weight: weight ?? section.weight })
  }
  return wantedFrom(
    placements.map(({ categories }) => categories),
    said,
  )
}

/** Places of the pages that speak for a folder, those first whose word counts most. */
function speakers(files: readonly PageFile[], placements: readonly Placement[]): number[] {
  const pages = new Map<string | null, number>()
  for (const { language } of placements) pages.set(language, (pages.get(language) ?? 0) + 1)
  const found = files.flatMap(({ segments }, place) => {
    const kind = SECTION_PAGES.findIndex((name) => name.test(segments.at(-1)!))
    return kind < 0 ? [] : [{ place, kind, pages: pages.get(placements[place].language) ?? 0 }]
  })
  return found.sort((a, b) => b.pages - a.pages || a.kind - b.kind || a.place - b.place).map(({ place }) => place)
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
 * The category of every folder. A title that a neighbour has already, or that no category can have, does not replace
 * the name of a folder. Where a folder has a weight, its neighbours without one come after all that have one.
 * @param paths names of folders, outermost first
 * @param said what is known of folders, by their path
 */
export function wantedFrom(paths: readonly (readonly string[])[], said: ReadonlyMap<string, Section>): Sections {
  const levels = new Map<string, Set<string>>()
  for (const path of paths) {
    for (const [i, folder] of path.entries()) {
      const above = keyOf(path.slice(0, i))
      const level = levels.get(above) ?? new Set()
      levels.set(above, level.add(folder))
    }
  }
  const wanted = new Map<string, WantedCategory>()
  for (const [above, folders] of levels) {
    const keyed = [...folders].map((folder) => ({ folder, key: above === '' ? folder : `${above}/${folder}` }))
    const heaviest = keyed.reduce((most, { key }) => Math.max(most, said.get(key)?.weight ?? 0), 0)
    const taken = new Set(folders)
    for (const { folder, key } of keyed) {
      const { title = null, weight = null } = said.get(key) ?? {}
      const isFree = title !== null && !taken.has(title) && pathFault([title]) === null
      if (isFree) taken.add(title)
      wanted.set(key, {
        name: isFree ? title : folder,
        folder,
        order: weight ?? (heaviest === 0 ? null : heaviest + 1),
      })
    }
  }
  return wanted
}

/** The categories of a path of folders. */
export function wantedPath(folders: readonly string[], sections: Sections): WantedCategory[] {
  return folders.map(
    (folder, i) => sections.get(keyOf(folders.slice(0, i + 1))) ?? { name: folder, folder, order: null },
  )
}

/** Folders have no slash in their names. */
function keyOf(folders: readonly string[]): string {
  return folders.join('/')
}
