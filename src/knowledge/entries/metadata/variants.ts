import { Contract, type TSchema, Type } from '../../../platform/contract/schema.ts'
import { ENTRY_TYPES, type EntryType } from '../kinds.ts'
import { METADATA_SCHEMAS } from './metadata.ts'

/** The metadata of stored entries, by their type. */
export const STORED_METADATA: readonly TSchema[] = ENTRY_TYPES.map((type) =>
  Contract(`${capitalised(type)}Entry`, { type: Type.Literal(type), metadata: METADATA_SCHEMAS[type] }),
)

/** The metadata of new entries, by their type: knowledge unless they name another. */
export const NEW_METADATA: readonly TSchema[] = ENTRY_TYPES.map((type) => {
  const metadata = METADATA_SCHEMAS[type]
  const isDemanded = ((metadata as { required?: readonly string[] }).required ?? []).length > 0
  return Type.Object({
    type: type === 'knowledge' ? Type.Optional(Type.Literal(type)) : Type.Literal(type),
    metadata: isDemanded ? metadata : Type.Optional(metadata),
  })
})

/** The type as the beginning of a contract's name: `SkillIndex`. */
function capitalised(type: EntryType): string {
  return type
    .split('_')
    .map((word) => `${word[0].toUpperCase()}${word.slice(1)}`)
    .join('')
}
