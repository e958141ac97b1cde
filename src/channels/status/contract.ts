import { Contract, Int, ListOf, Nullable, Num, OneOf, type Static, Type, Uuid } from '../../platform/contract/schema.ts'
import { EmbeddingStatus } from '../../embedding/contract.ts'
import { BEHIND_FIELDS } from '../../search/telemetry/behind.ts'

/** The state of the service for one tenant. */
export const TenantStatus = Contract('TenantStatus', {
  version: Type.String({ description: 'Version of the service' }),
  embedding: EmbeddingStatus,
  search: Nullable(
    Type.Object({
      indexes: Int({ minimum: 0 }),
      documents: Int({ minimum: 0 }),
      passages: Int({ minimum: 0 }),
      unreadable: Int({
        minimum: 0,
        description:
          'Documents that are damaged and not found, or whose vectors have a wrong size and that are found by words alone',
      }),
      ...BEHIND_FIELDS,
      left_out: Int({
        minimum: 0,
        description: 'Entries and products that no search finds, because the search memory of the tenant is full',
      }),
      left_out_documents: ListOf(
        Type.Object({
          index: OneOf(['entries', 'products']),
          id: Uuid(),
          owner: Nullable(Uuid(), {
            description: 'User who created the entry; null for products and for entries without a user',
          }),
        }),
        { description: 'Those of them that were changed last, at most 20' },
      ),
      refused: Int({ minimum: 0, description: 'Indexes that are not built for a while because they had no room' }),
      bytes: Num({ minimum: 0 }),
      bytes_max: Num({ minimum: 0, description: 'What the indexes of the tenant may take together' }),
    }),
    {
      description:
        'What the tenant’s search indexes take in the memory of the process that answers, and how far they are behind; an ' +
        'index that was not searched lately takes nothing. Null while the search thread is down',
    },
  ),
  warnings: ListOf(Type.String(), {
    description: 'What an administrator should look after, in words; empty when all is well',
  }),
})
export type TenantStatus = Static<typeof TenantStatus>
