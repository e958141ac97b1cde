import { Contract, type TSchema, Type } from '../../../platform/contract/schema.ts'
import { ENTRY_TYPES, type EntryType } from '../kinds.ts'
import { METADATA_SCHEMAS } from './metadata.ts'

/** Contracts of stored entries' metadata, by type. */
export const STORED_METADATA: readonly TSchema[] = ENTRY_TYPES.map((type) =>
  Contract(`${capitalised(type)}Entry`, { type: Type.Literal(type), metadata: METADATA_SCHEMAS[type] }),
)

/** Contracts of new entries' metadata, by type; an entry without a type is knowledge. */
export const NEW_METADATA: readonly TSchema[] = ENTRY_TYPES.map((type) => {
  const metadata = METADATA_SCHEMAS[type]
  const isRequired = ((metadata as { required?: readonly string[] }).required ?? []).length > 0
  return Type.Object({
    type: type === 'knowledge' ? Type.Optional(Type.Literal(type)) : Type.Literal(type),
    metadata: isRequired ? metadata : Type.Optional(metadata),
  })
})

/** Returns the type as the beginning of a contract's name, such as `SkillIndex`. */
function capitalised(type: EntryType): string {
  return type
    .split('_')
    .map((word) => `${word[0].toUpperCase()}${word.slice(1)}`)
    .join('')
}
