import type { Formats } from '../../i18n/formats.ts'
import type { Collision } from '../../parts/editing/collisions.tsx'
import type { RuleDraft } from './queries.ts'
import type { MerchandisingWords } from './words.ts'

/** Returns the fields of a rule that another person set, in words. @param theirs null when no person did */
export function collisionsIn(
  theirs: Partial<RuleDraft> | null,
  mine: RuleDraft,
  words: MerchandisingWords,
  formats: Formats,
): readonly Collision[] {
  const names: Readonly<Record<keyof RuleDraft, string>> = {
    name: words.name,
    action: words.action,
    is_active: words.active,
    from: words.start,
    to: words.end,
    query: words.query,
    match: words.match,
    filter_category: words.filterCategory,
    filter_brand: words.filterBrand,
    product_ids: words.products,
    brands: words.brands,
    categories: words.categories,
    availabilities: words.stocks,
    filter: words.which,
    strength: words.strength,
    address: words.address,
  }
  const textOf = (of: Partial<RuleDraft>, name: keyof RuleDraft): string => {
    const value = of[name] ?? ''
    if (name === 'action') return words.actions[value as RuleDraft['action']]
    if (name === 'match') return words.matches[value as NonNullable<RuleDraft['match']>]
    if (name === 'from' || name === 'to') return typeof value === 'string' && value !== '' ? formats.moment(value) : ''
    // The names of the products are beside the field; their number tells the two lists apart well enough.
    if (name === 'product_ids') return formats.number((value as readonly string[]).length)
    if (name === 'is_active') return value === true ? words.yes : words.no
    if (typeof value === 'number') return formats.number(value)
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return (Object.keys(theirs ?? {}) as (keyof RuleDraft)[]).map((name) => ({
    name: names[name],
    theirs: textOf(theirs ?? {}, name),
    mine: textOf(mine, name),
  }))
}
