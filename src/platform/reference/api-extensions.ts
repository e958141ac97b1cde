import { type Field, isSameField, marked } from './api-fields.ts'
import { link } from './markdown.ts'

/** A contract that the page describes by the fields of another one, its base. */
export interface Extension {
  readonly base: string
  /** Words that name the base and the differences from it. */
  readonly words: string
  /** The contract's own fields. */
  readonly own: readonly Field[]
}

const SHARED_MIN = 4
/**
 * Most fields of the base that an extension may leave out or mark anew. With more of them a table of its own is easier
 * to read.
 */
const EXCEPTIONS_MAX = 6

/** Ways to mark the fields of the base: as the base marks them, all optional, or all required. */
const MODES = [
  { words: '', isRequired: null },
  { words: ', any of which may be absent', isRequired: false },
  { words: ', each of which is there', isRequired: true },
] as const

/**
 * Returns, by name, the contracts that are shortest when described by another one. A base has fewer fields, or is used
 * as often. It always stands in full, so that a reader looks up a single table.
 */
export function extensionsOf(
  contracts: ReadonlyMap<string, readonly Field[]>,
  uses: ReadonlyMap<string, number>,
): Map<string, Extension> {
  const usesOf = (name: string) => uses.get(name) ?? 0
  const candidates = [...contracts].flatMap(([name, fields]) =>
    [...contracts]
      .filter(([base]) => base !== name)
      .flatMap(([base, others]) => candidatesOf(name, fields, base, others))
      .filter(({ isCut, extension: { base } }) => !isCut || usesOf(base) >= usesOf(name)),
  )
  candidates.sort((a, b) => b.saved - a.saved || (a.extension.base < b.extension.base ? -1 : 1))
  const chosen = new Map<string, Extension>()
  const bases = new Set<string>()
  for (const { name, extension } of candidates) {
    if (chosen.has(name) || bases.has(name) || chosen.has(extension.base)) continue
    chosen.set(name, extension)
    bases.add(extension.base)
  }
  return chosen
}

function candidatesOf(name: string, fields: readonly Field[], base: string, others: readonly Field[]) {
  const twinOf = (field: Field) => others.find((other) => isSameField(other, field))
  const shared = fields.filter((field) => twinOf(field) !== undefined)
  const own = fields.filter((field) => !shared.includes(field))
  const without = others.filter((other) => !fields.some((field) => field.name === other.name))
  return MODES.flatMap(({ words, isRequired }) => {
    const remarked = shared.filter((field) => field.isRequired !== (isRequired ?? twinOf(field)!.isRequired))
    const exceptions = without.length + remarked.length
    if (shared.length < SHARED_MIN || exceptions > EXCEPTIONS_MAX) return []
    const parts = [
      `The fields of ${link(base)}${words}`,
      ...(without.length === 0 ? [] : [`without ${without.map((each) => `\`${each.name}\``).join(', ')}`]),
      ...(remarked.length === 0 ? [] : [`with ${remarked.map(marked).join(', ')}`]),
    ]
    const saved = shared.flatMap(({ rows }) => rows).length - 2 * exceptions
    return [{ name, isCut: without.length > 0, extension: { base, words: parts.join('; '), own }, saved }]
  })
}
