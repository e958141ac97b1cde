import type { Schema } from '../contract/check-faults.ts'
import { fieldsOf, limitWords } from '../contract/schema-words.ts'
import { link, table } from './markdown.ts'

/** A list of values that stands once on the page. */
export interface NamedValues {
  /** The list in the words of `limitWords`: `one of a, b`. */
  readonly phrase: string
  /** Words that stand for the list, with a link to it. */
  readonly words: string
}

/** A list of values under the name of the field that usually takes one of them. */
interface List {
  readonly name: string
  readonly phrase: string
}

type Fields = readonly (readonly [name: string, schema: Schema])[]

const PREFIX = 'one of '
/** A list gets a name when that saves so many words. */
const SAVED_WORDS_MIN = 30
/**
 * Fewest values that may be described as the fields of a contract, and the most fields that such a list may leave out.
 */
const FIELDS = { min: 10, leftMax: 2 }

/**
 * Returns the lists of values that many fields share, and the table of those lists; the table is empty where there are
 * none.
 */
export function nameValues(fields: Fields, contracts: Readonly<Record<string, Schema>>) {
  const uses = fields.flatMap(([name, schema]) => phrasesOf(schema).map((phrase) => ({ name, phrase })))
  const byPhrase = [...Map.groupBy(uses, ({ phrase }) => phrase)]
  const ofContracts = byPhrase.flatMap(([phrase]): NamedValues[] => {
    const words = fieldWords(phrase, contracts)
    return words === null ? [] : [{ phrase, words }]
  })
  const lists = listsOf(byPhrase.filter(([phrase]) => ofContracts.every((each) => each.phrase !== phrase)))
  const ofFields = lists.map(({ name, phrase }) => ({ phrase, words: `${PREFIX}[${name}](#common-values)` }))
  const rows = lists.map(({ name, phrase }) => [`\`${name}\``, phrase.slice(PREFIX.length)])
  return {
    values: [...ofContracts, ...ofFields],
    valuesTable: rows.length === 0 ? '' : table(['List', 'Values'], rows),
  }
}

/** Returns a phrase of `limitWords` with a list of values replaced by its name. */
export function withNamedValues(words: string, values: readonly NamedValues[]): string {
  const listed = values.find(({ phrase }) => words === phrase || words === `each ${phrase}`)
  return listed === undefined ? words : words.replace(listed.phrase, listed.words)
}

function phrasesOf(schema: Schema): string[] {
  return limitWords(schema)
    .map((words) => words.replace(/^each /, ''))
    .filter((words) => words.startsWith(PREFIX))
}

/**
 * Returns the lists that save enough words, most first. Each name must say which list is meant, so it stands for one
 * list only.
 */
function listsOf(byPhrase: readonly (readonly [phrase: string, uses: readonly List[]])[]): List[] {
  const lists = byPhrase
    .map(([phrase, uses]) => ({
      phrase,
      name: mostFrequent(uses.map(({ name }) => name)),
      saved: (uses.length - 1) * phrase.split(' ').length,
    }))
    .filter(({ saved }) => saved >= SAVED_WORDS_MIN)
    .sort((a, b) => b.saved - a.saved || (a.phrase < b.phrase ? -1 : 1))
  return lists.filter(({ name }, i) => lists.findIndex((each) => each.name === name) === i)
}

function mostFrequent(names: readonly string[]): string {
  const counted = [...Map.groupBy(names, String)].map(([name, { length }]) => ({ name, length }))
  return counted.sort((a, b) => b.length - a.length || (a.name < b.name ? -1 : 1))[0].name
}

/** Returns words for a list of values that are the fields of a contract; null for another list. */
function fieldWords(phrase: string, contracts: Readonly<Record<string, Schema>>): string | null {
  const listed = new Set(phrase.slice(PREFIX.length).split(', '))
  if (listed.size < FIELDS.min) return null
  for (const [contract, schema] of Object.entries(contracts)) {
    const names = fieldsOf(schema).map(({ name }) => name)
    const left = names.filter((name) => !listed.has(name))
    if (left.length > FIELDS.leftMax || names.length !== listed.size + left.length) continue
    const others = left.length === 0 ? '' : ` other than ${left.map((name) => `\`${name}\``).join(' and ')}`
    return `a field of ${link(contract)}${others}`
  }
  return null
}
