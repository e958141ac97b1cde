/**
 * Splits German compounds by a fixed list of words, so that the terms of a text never depend on a tenant's other
 * documents. A wrong split is worse than a missed one. So every part must be in a list, the last part must be a noun,
 * and the parts must cover the whole word.
 */
import { readFileSync } from 'node:fs'

/** Most characters of a word that is split, which bounds the work. */
const LENGTH_MAX = 48
const PARTS_MAX = 5
const PART_LENGTH_MIN = 4

const NOUNS: ReadonlySet<string> = new Set(
  readFileSync(new URL('compound-parts.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
)
const PART_LENGTH_MAX = Math.max(...Array.from(NOUNS, (noun) => noun.length))

/** The only three-letter nouns that can be parts. Other short words match by accident too often. */
const SHORT_NOUNS = new Set(
  'art bad box bus eis gas hof hut kuh oel ohr opa oma ort pkw lkw rad rat see tag tee tod ton typ uhr uni weg zug'.split(
    ' ',
  ),
)
/** Parts that stand before nouns and are no nouns: adjectives and verb stems. */
const OPENERS = new Set(
  (
    'alt back bieg bohr brenn doppel einzel eigen fahr fein fern fertig fest fremd frisch gesamt gross haupt hoch ' +
    'ganz klein koch kurz lang leicht leih mager mess neu miet park putz rein roh rund sammel schalt schlaf schleif ' +
    'schmal schneid schnell schraub schreib schwer schwimm selbst send sonder sitz spar spezial spuel standard stand ' +
    'steck steh stell such tauch tief trink trocken viel voll wander wart wasch wechsel werb zahl zeig zieh'
  ).split(' '),
)
/** Short nouns that lose their e inside a compound, without that e: "Farbe" in "Farbton". */
const SHORTENED = new Set(['farb', 'miet', 'prob', 'roll', 'sach', 'woll'])
/** Letters that can link a part to the next one. */
const LINKS = ['s', 'es', 'n', 'en'] as const
/** Endings that the last part may have although the list has the noun without them. */
const ENDINGS = ['', 'n', 's', 'e', 'en', 'es'] as const

/** Beginnings of words that look like compounds and are none. */
const NEVER_SPLIT = (
  'akkurat ampersand angelernt aromatisch autonom breitest buchstab dauerhaft diebstahl dramatisch ' +
  'gastier handlung herzhaft israelitisch kombination kombinier konsument leichtest massgeb moderat ' +
  'nachteil opacity patentier problematisch profitier punktier reissend restart schematisch ' +
  'schriftsteller senkrecht singleton teenager teilweise thematisch unicode uniform waldmeister ' +
  'werkzeug wolfgang zugeschnitt'
).split(' ')

/** A cover of a word, or of its end, by parts. */
interface Split {
  /** The lower, the better. */
  readonly cost: number
  readonly parts: readonly { readonly word: string; readonly start: number }[]
}

/**
 * Returns the words inside a folded German compound, each folded; empty when the word is no compound of listed words.
 * Parts come in order, each followed by its own parts. From three parts on, tails that are compounds themselves are
 * added ("weizenvollkornmehl": weizen, vollkorn, vollkornmehl, mehl).
 */
export function splitCompound(word: string): readonly string[] {
  if (word.length < PART_LENGTH_MIN + 3 || word.length > LENGTH_MAX) return []
  if (NEVER_SPLIT.some((start) => word.startsWith(start))) return []
  const split = splitFrom(word, 0, PARTS_MAX, new Map())
  if (split === null || split.parts.length < 2) return []
  const parts = new Set<string>()
  for (const [index, part] of split.parts.entries()) {
    if (index > 0) parts.add(word.slice(part.start))
    parts.add(part.word)
    for (const inner of splitCompound(part.word)) parts.add(inner)
  }
  return [...parts]
}

/**
 * Returns the cheapest cover of `word` from `start` on; null without one. A part costs 10; links and short parts cost
 * more.
 * @param partsLeft most parts of the cover
 * @param covers covers that were found for other places of the word
 */
function splitFrom(word: string, start: number, partsLeft: number, covers: Map<number, Split | null>): Split | null {
  const key = start * (PARTS_MAX + 1) + partsLeft
  const cover = covers.get(key)
  if (cover !== undefined) return cover
  const rest = word.slice(start)
  const whole = start > 0 && endsAsNoun(rest) ? { cost: partCost(rest), parts: [{ word: rest, start }] } : null
  const best = partsLeft > 1 ? cheaper(whole, splitInTwo(word, start, partsLeft, covers)) : whole
  covers.set(key, best)
  return best
}

/** Returns the cheapest cover of `word` from `start` on that has at least two parts; null without one. */
function splitInTwo(word: string, start: number, partsLeft: number, covers: Map<number, Split | null>): Split | null {
  let best: Split | null = null
  const last = Math.min(word.length - 3, start + PART_LENGTH_MAX)
  for (let end = start + 3; end <= last; end += 1) {
    const part = word.slice(start, end)
    const isNoun = NOUNS.has(part) || SHORT_NOUNS.has(part)
    if (isNoun || OPENERS.has(part))
      best = cheaper(best, join(part, start, 0, splitFrom(word, end, partsLeft - 1, covers)))
    if (isNoun) {
      for (const link of LINKS) {
        if (!mayLink(part, link) || !word.startsWith(link, end)) continue
        best = cheaper(
          best,
          join(part, start, link === 's' ? 1 : 3, splitFrom(word, end + link.length, partsLeft - 1, covers)),
        )
      }
    } else if (losesItsE(part)) {
      best = cheaper(best, join(`${part}e`, start, 3, splitFrom(word, end, partsLeft - 1, covers)))
    }
  }
  return best
}

/** Tells whether a link may follow a part. A short part takes only -s and -es; -n follows e, er or el; -en no e. */
function mayLink(part: string, link: (typeof LINKS)[number]): boolean {
  if (link === 's') return !part.endsWith('s')
  if (part.length < PART_LENGTH_MIN) return link === 'es'
  if (link === 'n') return /(e|er|el)$/.test(part)
  return !part.endsWith('e')
}

/**
 * Tells whether a part is a noun without its final e. "Schule" becomes "Schul-", but "Energie" keeps its e. Among
 * shorter nouns only a few lose it.
 */
function losesItsE(part: string): boolean {
  return (part.length > PART_LENGTH_MIN && !part.endsWith('i') && NOUNS.has(`${part}e`)) || SHORTENED.has(part)
}

/** Tells whether a part is a noun of the lists, with one of the endings or none. */
function endsAsNoun(part: string): boolean {
  if (SHORT_NOUNS.has(part)) return true
  for (const ending of ENDINGS) {
    const stem = part.slice(0, part.length - ending.length)
    if (part.endsWith(ending) && stem.length >= PART_LENGTH_MIN && NOUNS.has(stem)) return true
  }
  return false
}

function partCost(part: string): number {
  return part.length < PART_LENGTH_MIN ? 14 : part.length === PART_LENGTH_MIN ? 12 : 10
}

function join(part: string, start: number, linkCost: number, rest: Split | null): Split | null {
  if (rest === null) return null
  return { cost: partCost(part) + linkCost + rest.cost, parts: [{ word: part, start }, ...rest.parts] }
}

function cheaper(one: Split | null, other: Split | null): Split | null {
  if (one === null || (other !== null && other.cost < one.cost)) return other
  return one
}

/** Tells whether a folded word is in the list of German nouns, some of which are English words too. */
export function isGermanNoun(word: string): boolean {
  return NOUNS.has(word)
}
