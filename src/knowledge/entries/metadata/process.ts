import { ListOf, Num, Text, Type } from '../../../platform/contract/schema.ts'

const Step = Type.Object(
  {
    title: Text(),
    description: Type.Optional(Type.String()),
    role: Type.Optional(Type.String()),
    duration_minutes: Type.Optional(Num({ minimum: 0 })),
  },
  { additionalProperties: false },
)

export const ProcessMetadata = Type.Object(
  {
    steps: ListOf(Step),
    owner: Type.Optional(Type.String()),
    frequency: Type.Optional(Type.String()),
    inputs: Type.Optional(ListOf(Text())),
    outputs: Type.Optional(ListOf(Text())),
  },
  { additionalProperties: false },
)
