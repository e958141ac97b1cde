/**
 * What a file's place in its folder says: its language, its category, which files are its translations.
 *
 * A folder level may be one of languages when every folder on it is named like a language code, nothing but
 * folders of `WRAPPERS` lies above it, and a folder alone there has no documents beside it. So
 * `content/de/docs` may have a language, and `company/it` beside `company/sales` has none. Whether it is one, its
 * pages say (`folder-languages.ts`).
 */
export interface Placement {
  /** The path from the imported folder's parent: stable wherever the folder lies. */
  readonly reference: string
  /** Language code from a folder or from a name such as `guide.de.md`; null when nothing says it. */
  readonly language: string | null
  /** Names of the categories, outermost first; never empty. */
  readonly categories: readonly string[]
  /** Whether the file lies in no folder but languages and wrappers; its category is then named after the last of them. */
  readonly isTop: boolean
  /** The reference without its language, equal for all translations; null when the path names no language. */
  readonly group: string | null
}

/** Folders that only hold the documents, where they stand above all others. */
const WRAPPERS = new Set(['content', 'docs', 'doc', 'documentation'])
const CODE = /^([a-z]{2})(?:[-_]([a-z]{2}))?$/i
const NAMED = /^(.+)\.([a-z]{2}(?:[-_][a-z]{2})?)(\.[a-z]+)$/i

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** `de` or `pt-BR` for a name that is a language's code, with any case and `-` or `_`; null for other names. */
export function languageCode(name: string): string | null {
  const match = CODE.exec(name)
  if (match === null) return null
  const primary = match[1].toLowerCase()
  // Withdrawn codes such as `in` (now `id`) are more likely words.
  if (languageNames.of(primary) === undefined || Intl.getCanonicalLocales(primary)[0] !== primary) return null
  return match[2] === undefined ? primary : `${primary}-${match[2].toUpperCase()}`
}

export interface Root {
  /** Names from outside to the imported folder, the folder's own last; at least one. */
  readonly names: readonly string[]
  /** Whether the imported folder is itself one of a level of languages. */
  readonly isLanguage: boolean
}

/**
 * @param files the names of each file from the imported folder down
 * @param languageLevels paths of the folders whose folders are languages, of those that `candidateLevels` names
 * @returns a placement for each file, in their order
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
 * The levels whose folders are all named like languages, by the path of the folder they lie in.
 * @returns of each level its folders by name, and of each folder the places of its files
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

/** Tells for the path of a folder whether the folders in it are named like languages. */
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

/** `guide.de.md` is German when there is `guide.md` or another `guide.xx.md` beside it. */
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
