import * as fc from 'fast-check'
import { anyCharacter } from '../support/any-character.ts'
import { inTier } from '../support/tier.ts'
import { SEED } from '../support/seed.ts'

/** Number of mutations of each request. */
export const RUNS = inTier({ gate: 100, all: 1_000 })
const AT_ONCE = 8

const odd = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ufffd',
  '\u202e',
  '😀',
  "' or 1=1 --",
  '../../x',
  '{}',
  '[object Object]',
  'null',
  'undefined',
  '__proto__',
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'https://evil.example/callback',
  'x'.repeat(600),
  'x'.repeat(2_100),
  '%00',
  '%zz',
  '&client_id=x',
  'eyJhbGciOiJub25lIn0.e30.',
)
/** Text that no client would send by mistake. */
export const text = fc.oneof(odd, fc.string({ unit: anyCharacter, maxLength: 60 }))

type Edit = (value: string) => string[]

/** Edits that a server overlooks if it compares values loosely. */
const SMALL: readonly Edit[] = [
  (old) => [`${old} `],
  (old) => [` ${old}`],
  (old) => [`${old}/`],
  (old) => [old.toUpperCase()],
  (old) => [encodeURIComponent(`${old}%`)],
  (old) => [old, old],
  (old) => [Array.from(old).toReversed().join('')],
]

/** Changes one field: removes it, replaces its value, or repeats it. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constant<Edit>(() => []),
  text.map((value): Edit => () => [value]),
  text.map((value): Edit => (old) => [old, value]),
  text.map((value): Edit => (old) => [value, old]),
  fc.nat(40).map((at): Edit => (old) => [old.slice(0, at)]),
  fc.nat(60).map((at): Edit => (old) => [old.slice(0, at) + (old[at] === 'a' ? 'b' : 'a') + old.slice(at + 1)]),
  fc.constantFrom(...SMALL),
)

type Form = Readonly<Record<string, string>>
export type Pairs = readonly (readonly [string, string])[]

/** Returns the request with some of these fields certainly changed, and with unknown fields added. */
export function mutationsOf(form: Form, names = Object.keys(form)): fc.Arbitrary<Pairs> {
  const edits = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), edit), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  })
  const strangers = fc.array(fc.tuple(fc.constantFrom('x', '__proto__', 'constructor', 'toString', ' '), text), {
    maxLength: 1,
  })
  return fc
    .tuple(edits, strangers)
    .map(([changes, added]): Pairs => {
      const by = new Map(changes)
      const fields = Object.entries(form).flatMap(([name, value]): [string, string][] =>
        (by.get(name)?.(value) ?? [value]).map((each) => [name, each.toWellFormed()]),
      )
      return [...fields, ...added.map(([name, value]): [string, string] => [name, value.toWellFormed()])]
    })
    .filter((pairs) => isOther(form, pairs))
}

function isOther(form: Form, pairs: Pairs): boolean {
  // A field without a value counts as missing (RFC 6749, section 3.2).
  const nonEmpty = pairs.filter(([name, value]) => Object.hasOwn(form, name) && value !== '')
  return JSON.stringify(nonEmpty) !== JSON.stringify(Object.entries(form))
}

/** Returns the request with each field in turn removed, cut short or slightly changed, and the others as they are. */
export function smallMutationsOf(form: Form): Pairs[] {
  const edits: Edit[] = [...SMALL, () => [], (old) => [old.slice(0, -1)]]
  return Object.keys(form)
    .flatMap((changed) =>
      edits.map((edit) =>
        Object.entries(form).flatMap(([name, value]): [string, string][] =>
          (name === changed ? edit(value) : [value]).map((each) => [name, each]),
        ),
      ),
    )
    .filter((pairs) => isOther(form, pairs))
}

/** Returns pairs in the form of a query or a form's body. */
export const queryOf = (pairs: Pairs): string =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()

/** Sends the given number of mutations, after those of `first`. */
export async function all<T>(
  mutations: fc.Arbitrary<T>,
  check: (mutation: T) => Promise<void>,
  first: readonly T[] = [],
): Promise<void> {
  const list = [...first, ...fc.sample(mutations, { numRuns: RUNS, seed: SEED })]
  const lane = async (from: number): Promise<void> => {
    for (let i = from; i < list.length; i += AT_ONCE) {
      await check(list[i]).catch((error: unknown) => {
        throw new Error(`TEST_SEED=${SEED}, ${JSON.stringify(list[i])}`, { cause: error })
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => lane(i)))
}
