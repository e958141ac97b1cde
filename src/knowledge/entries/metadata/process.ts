import { ListOf, Num, Text, Type } from '../../../platform/contract/schema.ts'

const Step = Type.Object(
  {
    title: Text({ description: 'What the step is called' }),
    description: Type.Optional(Type.String({ description: 'What is done' })),
    role: Type.Optional(Type.String({ description: 'Who does it' })),
    duration_minutes: Type.Optional(Num({ minimum: 0, description: 'How long it takes' })),
  },
  { additionalProperties: false },
)

export const ProcessMetadata = Type.Object(
  {
    steps: ListOf(Step, { description: 'The steps in order' }),
    owner: Type.Optional(Type.String({ description: 'Who is responsible for the process' })),
    frequency: Type.Optional(Type.String({ description: 'How often it runs' })),
    inputs: Type.Optional(ListOf(Text(), { description: 'What it needs' })),
    outputs: Type.Optional(ListOf(Text(), { description: 'What it produces' })),
  },
  { $id: 'ProcessMetadata', additionalProperties: false },
)
