import { ListOf, Text, Type, Uuid } from '../../../platform/contract/schema.ts'

const IndexedSkill = Type.Object(
  {
    entry_id: Uuid({ description: 'Id of a skill entry' }),
    name: Text({ description: 'What the list calls it' }),
    summary: Type.Optional(Type.String({ description: 'What it is for' })),
    trigger: Type.Optional(Type.String({ description: 'When it applies' })),
  },
  { additionalProperties: false },
)

export const SkillIndexMetadata = Type.Object(
  { skills: ListOf(IndexedSkill, { description: 'The skills in order' }) },
  { $id: 'SkillIndexMetadata', additionalProperties: false },
)
