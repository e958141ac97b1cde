import { ListOf, OneOf, Text, Type } from '../../../platform/contract/schema.ts'

export const SkillMetadata = Type.Object(
  {
    steps: ListOf(Text(), { minItems: 1, maxItems: 100, description: 'What to do, in order' }),
    trigger: Type.Optional(Type.String({ description: 'When the skill applies' })),
    outcome: Type.Optional(Type.String({ description: 'What is true when it is done' })),
    tools: Type.Optional(ListOf(Text(), { description: 'What it is done with' })),
    difficulty: Type.Optional(OneOf(['beginner', 'intermediate', 'advanced'], { description: 'How hard it is' })),
  },
  { $id: 'SkillMetadata', additionalProperties: false },
)
