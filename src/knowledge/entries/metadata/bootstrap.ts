import { Flag, Int, ListOf, Text, Type } from '../../../platform/contract/schema.ts'

export const BootstrapMetadata = Type.Object(
  {
    priority: Type.Optional(
      Int({ minimum: 0, default: 0, description: 'Order of loading. The assistant decides how to use it' }),
    ),
    audience: Type.Optional(ListOf(Text(), { description: 'Who the entry is for' })),
    always_load: Type.Optional(
      Flag({ default: false, description: 'Asks the assistant to load it in every conversation' }),
    ),
  },
  { $id: 'BootstrapMetadata', additionalProperties: false },
)
