import { DateTime, FreeForm, Num, Type } from '../../../platform/contract/schema.ts'

/** Once `expires_at` has passed the entry leaves lists and search; its id still reads it. */
export const MemoryMetadata = Type.Object(
  {
    expires_at: Type.Optional(
      DateTime({ description: 'From then on lists and search leave the entry out; its id still reads it' }),
    ),
    importance: Type.Optional(
      Num({ minimum: 0, maximum: 1, default: 0.5, description: 'How much it matters to the assistant' }),
    ),
    subject: Type.Optional(Type.String({ description: 'Whom or what it is about' })),
    context: Type.Optional(FreeForm({ description: 'Anything else, kept as it is' })),
  },
  { additionalProperties: false },
)
