import { namesOf, pathFault } from '../../knowledge/categories/path-names.ts'
import { plainPath, type WantedCategory } from './category-paths.ts'

/** A line that cannot become an entry; the message says why. */
export class UnusableLine extends Error {
  override readonly name = 'UnusableLine'
  readonly reason: 'notObject' | 'category'

  constructor(message: string, reason: UnusableLine['reason']) {
    super(message)
    this.reason = reason
  }
}

interface LineRules {
  /** Path of the category that the categories of lines are put below. */
  readonly baseCategory: readonly string[]
  readonly defaults: { readonly visibility: string | undefined; readonly language: string | undefined }
}

interface LineEntry {
  /** Fields of an entry, not yet checked against its limits, without the category that `path` names. */
  readonly entry: Readonly<Record<string, unknown>>
  /** The category by its path; null when the line names one by its id, or none. */
  readonly path: readonly WantedCategory[] | null
}

/**
 * Reads a line of JSON Lines as an entry. A line without a reference is known by the hash of its text, so that the next
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
  const faulty = path.length === 0 ? null : pathFault(path)
  if (faulty !== null) throw new UnusableLine(`category: ${faulty}`, 'category')
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
