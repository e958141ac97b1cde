import { ListOf, OneOf, Text, Type } from '../../../platform/contract/schema.ts'

export const SkillMetadata = Type.Object(
  {
    steps: ListOf(Text(), { minItems: 1, maxItems: 100 }),
    trigger: Type.Optional(Type.String()),
    outcome: Type.Optional(Type.String()),
    tools: Type.Optional(ListOf(Text())),
    difficulty: Type.Optional(OneOf(['beginner', 'intermediate', 'advanced'])),
  },
  { additionalProperties: false },
)
