import type { Schema } from '../../src/platform/contract/check-faults.ts'
import { pick } from './chance.ts'

/** Odd values that have broken services before. */
const ODD: readonly unknown[] = [
  null,
  '',
  ' ',
  '\u0000',
  '\ufffe',
  '\u202etxet',
  '😀',
  "'; drop table entries; --",
  '../../etc/passwd',
  'NaN',
  0,
  -1,
  0.1,
  1e308,
  2 ** 53,
  [],
  {},
  [null],
  { constructor: { name: 1 } },
  '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11',
]
const WORDS = ['Okapi', 'Größe', 'réseau', 'the', 'Bohrmaschine', '42', 'café-au-lait', '日本', 'a'.repeat(60), 'x']
const ODD_SHARE = 0.04
const OPTIONAL_SHARE = 0.35
const DEPTH_MAX = 5
const ITEMS_MAX = 3

/** Sources from which values of a schema are made. */
export interface Source {
  readonly random: () => number
  /** Returns a schema by its `$ref`. */
  readonly resolve: (reference: string) => Schema
  /** Returns an id that earlier answers had, for a field of that name; null when there is none. */
  readonly idFor: (name: string) => string | null
}

/**
 * Returns a value that mostly fits the schema, by the keywords of JSON Schema that the contracts use. Now and then a
 * part of it is odd.
 * @param name name of the field, by which ids are chosen
 */
export function valueOf(schema: Schema, name: string, source: Source, depth = 0): unknown {
  const { random } = source
  if (random() < ODD_SHARE) return pick(random, ODD)
  if (typeof schema.$ref === 'string') return valueOf(source.resolve(schema.$ref), name, source, depth)
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (choices !== undefined) {
    // Types of entries stand beside their common fields.
    const { anyOf: _, oneOf: __, ...common } = schema
    const chosen = valueOf(pick(random, choices), name, source, depth)
    if (common.properties === undefined) return chosen
    return { ...(objectOf(common, source, depth) as object), ...(chosen as object) }
  }
  if (schema.allOf !== undefined) {
    const parts = (schema.allOf as readonly Schema[]).map((part) => valueOf(part, name, source, depth))
    return Object.assign(schema.properties === undefined ? {} : objectOf(schema, source, depth), ...parts)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(random, schema.enum as readonly unknown[])
  const type = Array.isArray(schema.type) ? pick(random, schema.type as readonly string[]) : schema.type
  if (type === 'null') return null
  if (type === 'boolean') return random() < 0.5
  if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer', random)
  if (type === 'array') return listOf(schema, name, source, depth)
  if (type === 'object' || schema.properties !== undefined) return objectOf(schema, source, depth)
  return textOf(schema, name, source)
}

function numberOf(schema: Schema, isWhole: boolean, random: () => number): number {
  const least = (schema.minimum as number | undefined) ?? 0
  const most = Math.min((schema.maximum as number | undefined) ?? 1_000, least + 1_000)
  const value = pick(random, [least, most, least + random() * (most - least)])
  return isWhole ? Math.floor(value) : value
}

function listOf(schema: Schema, name: string, source: Source, depth: number): unknown[] {
  const least = (schema.minItems as number | undefined) ?? 0
  const most = Math.min((schema.maxItems as number | undefined) ?? ITEMS_MAX, least + ITEMS_MAX)
  const length = depth > DEPTH_MAX ? least : least + Math.floor(source.random() * (most - least + 1))
  return Array.from({ length }, () =>
    valueOf((schema.items ?? {}) as Schema, name.replace(/s$/, ''), source, depth + 1),
  )
}

function objectOf(schema: Schema, source: Source, depth: number): Record<string, unknown> {
  const required = new Set((schema.required ?? []) as readonly string[])
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const chosen = fields.filter(
    ([name]) => required.has(name) || (depth <= DEPTH_MAX && source.random() < OPTIONAL_SHARE),
  )
  return Object.fromEntries(chosen.map(([name, field]) => [name, valueOf(field, name, source, depth + 1)]))
}

function textOf(schema: Schema, name: string, { random, idFor }: Source): string {
  if (schema.format === 'uuid' || name.endsWith('_id') || name === 'id') {
    const id = idFor(name)
    if (id !== null) return id
  }
  if (schema.format === 'uuid') return '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'
  if (schema.format === 'date-time') return new Date(1.7e12 + Math.floor(random() * 4e11)).toISOString()
  if (schema.format === 'uri') return `https://example.com/${pick(random, WORDS)}`
  if (name === 'email') return `fuzz-${Math.floor(random() * 1e6)}@example.com`
  if (name === 'language') return pick(random, ['de', 'en', 'fr', 'pt-BR'])
  if (name === 'slug') return `slug-${Math.floor(random() * 1e6)}`
  const words = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, WORDS)).join(' ')
  return words.slice(0, (schema.maxLength as number | undefined) ?? words.length)
}
