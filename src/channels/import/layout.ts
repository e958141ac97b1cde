/**
 * The language, the category and the translations of a file, as its path tells them.
 *
 * A level of folders may be one of languages if every folder on it is named like a language code, only folders of
 * `WRAPPERS` are above it, and, where it has a single folder, no documents are beside that. So `content/de/docs` may
 * have a language, but `company/it` beside `company/sales` has none. The pages decide (`folder-languages.ts`).
 */
export interface Placement {
  /** The path from the imported folder's parent. It stays the same when the folder is moved. */
  readonly reference: string
  /** Language code from a folder or from a name such as `guide.de.md`; null without one. */
  readonly language: string | null
  /** Names of the categories, outermost first; never empty. */
  readonly categories: readonly string[]
  /** Whether only folders of languages and wrappers are above the file. Its category is then the innermost wrapper. */
  readonly isTop: boolean
  /** The reference without its language, the same for all translations; null when the path names no language. */
  readonly group: string | null
}

/** Folders that, at the top, only wrap the documents and are no categories. */
const WRAPPERS = new Set(['content', 'docs', 'doc', 'documentation'])
const CODE = /^([a-z]{2})(?:[-_]([a-z]{2}))?$/i
const NAMED = /^(.+)\.([a-z]{2}(?:[-_][a-z]{2})?)(\.[a-z]+)$/i

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * Returns the code, such as `de` or `pt-BR`, of a name that is one in any case, with `-` or `_`; null for other names.
 */
export function languageCode(name: string): string | null {
  const match = CODE.exec(name)
  if (match === null) return null
  const primary = match[1].toLowerCase()
  // A name that is a withdrawn code, such as `in` (now `id`), is more likely a word.
  if (languageNames.of(primary) === undefined || Intl.getCanonicalLocales(primary)[0] !== primary) return null
  return match[2] === undefined ? primary : `${primary}-${match[2].toUpperCase()}`
}

export interface Root {
  /** Names on the path to the imported folder, the folder's own name last; at least one. */
  readonly names: readonly string[]
  /** Whether the imported folder is itself a language. */
  readonly isLanguage: boolean
}

/**
 * Places the files of a folder.
 * @param files names on the path of each file, from the imported folder down
 * @param languageLevels those paths of `candidateLevels` whose folders are languages
 * @returns a placement for each file, in the same order
 */
export function layOut(
  root: Root,
  files: readonly (readonly string[])[],
  languageLevels: ReadonlySet<string>,
): Placement[] {
  const paths = new Set(files.map((segments) => segments.join('/')))
  const stems = Map.groupBy(files, (segments) => stemOf(segments))
  return files.map((segments) => {
    const suffix = languageSuffix(segments, paths, stems)
    return place(root, segments, suffix, languageLevels)
  })
}

/**
 * Finds the levels whose folders are all named like languages, by the path of their parent folder.
 * @returns for each level its folders by name, and for each folder the indexes of its files
 */
export function candidateLevels(files: readonly (readonly string[])[]): Map<string, Map<string, number[]>> {
  const isNamedLikeLanguages = namedLikeLanguages(files)
  const levels = new Map<string, Map<string, number[]>>()
  for (const [place, segments] of files.entries()) {
    const folders = segments.slice(0, -1)
    for (const [i, folder] of folders.entries()) {
      const prefix = folders.slice(0, i).join('/')
      if (isNamedLikeLanguages(prefix)) {
        const level = levels.get(prefix) ?? new Map<string, number[]>()
        levels.set(prefix, level)
        const places = level.get(folder)
        if (places === undefined) level.set(folder, [place])
        else places.push(place)
        break
      }
      if (!WRAPPERS.has(folder.toLowerCase())) break
    }
  }
  return levels
}

function place(
  root: Root,
  segments: readonly string[],
  suffix: { language: string; name: string } | null,
  languageLevels: ReadonlySet<string>,
): Placement {
  const rootName = root.names.at(-1)!
  let language = root.isLanguage ? languageCode(rootName) : null
  let wrapper = (root.isLanguage ? root.names.at(-2) : rootName) ?? rootName
  const group = root.isLanguage ? [] : [rootName]
  const categories: string[] = []
  const folders = segments.slice(0, -1)
  for (const [i, folder] of folders.entries()) {
    if (categories.length === 0) {
      if (language === null && languageLevels.has(folders.slice(0, i).join('/'))) {
        language = languageCode(folder)
        continue
      }
      if (WRAPPERS.has(folder.toLowerCase())) wrapper = folder
      else categories.push(folder)
    } else categories.push(folder)
    group.push(folder)
  }
  group.push(suffix?.name ?? segments.at(-1)!)
  language = suffix?.language ?? language
  return {
    reference: [rootName, ...segments].join('/').normalize('NFC'),
    language,
    categories: (categories.length > 0 ? categories : [wrapper]).map((name) => name.normalize('NFC')),
    isTop: categories.length === 0,
    group: language === null ? null : group.join('/').normalize('NFC'),
  }
}

/** @returns a function that tells, for the path of a folder, whether its subfolders are named like languages */
function namedLikeLanguages(files: readonly (readonly string[])[]): (prefix: string) => boolean {
  const folders = new Map<string, Set<string>>()
  const withFiles = new Set<string>()
  for (const segments of files) {
    withFiles.add(segments.slice(0, -1).join('/'))
    for (let i = 0; i < segments.length - 1; i++) {
      const prefix = segments.slice(0, i).join('/')
      const names = folders.get(prefix)
      if (names === undefined) folders.set(prefix, new Set([segments[i]]))
      else names.add(segments[i])
    }
  }
  return (prefix) => {
    const names = [...(folders.get(prefix) ?? [])]
    return (names.length > 1 || !withFiles.has(prefix)) && names.every((name) => languageCode(name) !== null)
  }
}

/** Reads the language in a file's name: `guide.de.md` is German if `guide.md` or another `guide.xx.md` is beside it. */
function languageSuffix(
  segments: readonly string[],
  paths: ReadonlySet<string>,
  stems: ReadonlyMap<string, readonly unknown[]>,
): { language: string; name: string } | null {
  const match = NAMED.exec(segments.at(-1)!)
  const language = match === null ? null : languageCode(match[2])
  if (match === null || language === null) return null
  const name = match[1] + match[3]
  const plain = [...segments.slice(0, -1), name].join('/')
  return paths.has(plain) || stems.get(stemOf(segments))!.length > 1 ? { language, name } : null
}

function stemOf(segments: readonly string[]): string {
  const name = segments.at(-1)!
  const match = NAMED.exec(name)
  return [...segments.slice(0, -1), match === null ? name : match[1] + match[3]].join('/')
}
