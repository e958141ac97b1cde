import { DateTime, FreeForm, Num, Type } from '../../../platform/contract/schema.ts'

/** Once `expires_at` has passed the entry leaves lists and search; its id still reads it. */
export const MemoryMetadata = Type.Object(
  {
    expires_at: Type.Optional(DateTime()),
    importance: Type.Optional(Num({ minimum: 0, maximum: 1, default: 0.5 })),
    subject: Type.Optional(Type.String()),
    context: Type.Optional(FreeForm()),
  },
  { additionalProperties: false },
)
