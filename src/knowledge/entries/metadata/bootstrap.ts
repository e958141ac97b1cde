import { Flag, Int, ListOf, Text, Type } from '../../../platform/contract/schema.ts'

export const BootstrapMetadata = Type.Object(
  {
    priority: Type.Optional(Int({ minimum: 0, default: 0 })),
    audience: Type.Optional(ListOf(Text())),
    always_load: Type.Optional(Flag({ default: false })),
  },
  { additionalProperties: false },
)
