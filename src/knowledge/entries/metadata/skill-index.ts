import { ListOf, Text, Type, Uuid } from '../../../platform/contract/schema.ts'

const IndexedSkill = Type.Object(
  {
    entry_id: Uuid(),
    name: Text(),
    summary: Type.Optional(Type.String()),
    trigger: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export const SkillIndexMetadata = Type.Object({ skills: ListOf(IndexedSkill) }, { additionalProperties: false })
