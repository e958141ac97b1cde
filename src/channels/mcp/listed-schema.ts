import type { JsonSchema } from './plain-schema.ts'

type Schema = Readonly<Record<string, unknown>>

/** Keywords worth their characters in a list. A refusal names any other limit that was not kept. */
const KEPT = ['enum', 'description', 'maximum'] as const
/** The bound of every integer that has no other. */
const INT32_MAX = 2_147_483_647

/**
 * The schema of a tool's input as a list of tools has it: what an assistant needs to fill in the fields, and no more.
 * Optional fields do not say that they take null, and decimals do not show their pattern.
 */
export function listedSchema({ properties, required }: JsonSchema): JsonSchema {
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, briefly(field)])),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  }
}

function briefly(field: Schema): Schema {
  const { default: preset, items } = field
  const kept = KEPT.filter((keyword) => keyword in field && field[keyword] !== INT32_MAX)
  return {
    type: typeOf(field),
    ...Object.fromEntries(kept.map((keyword) => [keyword, withoutNull(field[keyword])])),
    ...(items === undefined ? {} : { items: { type: typeOf(items as Schema) } }),
    // That a flag is off and an offset nothing goes without saying.
    ...(preset === undefined || preset === false || preset === 0 || preset === '' ? {} : { default: preset }),
  }
}

/** The first type besides null, as a number for a decimal, which may also be sent as text. */
function typeOf({ type, anyOf = [] }: Schema): unknown {
  const types = [type, ...(anyOf as Schema[]).map((branch) => branch.type)].flat()
  return types.find((each) => each !== undefined && each !== 'null')
}

function withoutNull(value: unknown): unknown {
  return Array.isArray(value) ? value.filter((each) => each !== null) : value
}
