import { namesOf, pathFault } from '../../knowledge/categories/path-names.ts'
import { plainPath, type PathCategory } from './category-paths.ts'

/** Tells that a line cannot become an entry. The message says why. */
export class UnusableLine extends Error {
  override readonly name = 'UnusableLine'
  readonly reason: 'notObject' | 'category'

  constructor(message: string, reason: UnusableLine['reason']) {
    super(message)
    this.reason = reason
  }
}

interface LineRules {
  /** Path of the category below which the categories of lines go. */
  readonly baseCategory: readonly string[]
  readonly defaults: { readonly visibility: string | undefined; readonly language: string | undefined }
}

interface LineEntry {
  /** Fields of an entry before the check of its limits, without the category of `path`. */
  readonly entry: Readonly<Record<string, unknown>>
  /** Path of the category; null when the line has the id of one, or none. */
  readonly path: readonly PathCategory[] | null
}

/**
 * Reads a line of JSON Lines as an entry. The reference of a line without one is the hash of its text, so that the next
 * import does not duplicate it.
 * @param sha256 the hash of a text in hexadecimal
 * @throws UnusableLine
 */
export async function readLine(
  value: unknown,
  { baseCategory, defaults }: LineRules,
  sha256: (text: string) => string | Promise<string>,
): Promise<LineEntry> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new UnusableLine('it is not a JSON object', 'notObject')
  const { category, ...fields } = value as Record<string, unknown>
  if (category !== undefined && typeof category !== 'string')
    throw new UnusableLine('category: it is not text', 'category')
  const path = [...baseCategory, ...(category === undefined ? [] : namesOf(category))]
  const fault = path.length === 0 ? null : pathFault(path)
  if (fault !== null) throw new UnusableLine(`category: ${fault}`, 'category')
  const isNamed = fields.category_id !== undefined || path.length === 0
  const entry = {
    ...fields,
    visibility: fields.visibility ?? defaults.visibility,
    language: fields.language ?? defaults.language,
    source_reference: fields.source_reference ?? `sha256:${await sha256(JSON.stringify(value))}`,
  }
  return {
    entry: Object.fromEntries(Object.entries(entry).filter(([, member]) => member !== undefined)),
    path: isNamed ? null : plainPath(path),
  }
}
