import type { JsonSchema } from './plain-schema.ts'

type Schema = Readonly<Record<string, unknown>>

/** Keywords worth their characters in a list. A refused call tells the assistant any other limit. */
const LISTED_KEYWORDS = ['enum', 'description', 'maximum'] as const
/** The maximum of every integer field without a maximum of its own. */
const INT32_MAX = 2_147_483_647

/**
 * Returns the schema of a tool's input for the list of tools: as much as an assistant needs to fill in the fields.
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
  const keywords = LISTED_KEYWORDS.filter((keyword) => keyword in field && field[keyword] !== INT32_MAX)
  return {
    type: typeOf(field),
    ...Object.fromEntries(keywords.map((keyword) => [keyword, withoutNull(field[keyword])])),
    ...(items === undefined ? {} : { items: { type: typeOf(items as Schema) } }),
    // An assistant expects that a flag is off and an offset 0.
    ...(preset === undefined || preset === false || preset === 0 || preset === '' ? {} : { default: preset }),
  }
}

/** Returns the first type except null. For a decimal that is number, though it may also be sent as text. */
function typeOf({ type, anyOf = [] }: Schema): unknown {
  const types = [type, ...(anyOf as Schema[]).map((branch) => branch.type)].flat()
  return types.find((each) => each !== undefined && each !== 'null')
}

function withoutNull(value: unknown): unknown {
  return Array.isArray(value) ? value.filter((each) => each !== null) : value
}
