import { DateTime, FreeForm, Num, Type } from '../../../platform/contract/schema.ts'

/** Metadata of a memory entry. After `expires_at`, lists and search leave the entry out. It can still be read by id. */
export const MemoryMetadata = Type.Object(
  {
    expires_at: Type.Optional(
      DateTime({ description: 'From then on lists and search leave the entry out. Reading it by id still works' }),
    ),
    importance: Type.Optional(
      Num({ minimum: 0, maximum: 1, default: 0.5, description: 'How important the memory is to the assistant' }),
    ),
    subject: Type.Optional(Type.String({ description: 'Person or thing that the memory is about' })),
    context: Type.Optional(FreeForm({ description: 'Anything else, kept as it is' })),
  },
  { $id: 'MemoryMetadata', additionalProperties: false },
)
