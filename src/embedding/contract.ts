import { Contract, DateTime, Int, Nullable, type Static, Type } from '../platform/contract/schema.ts'

/** Makes the field of a status of embedding that says whether the configured model gives vectors. */
export const ProviderFailingSince = () =>
  Nullable(DateTime(), {
    description:
      'When the first of the latest calls for vectors began, all of which failed, in the process that answers. Null if ' +
      'the last call was answered, or if none failed for 15 minutes',
  })

/** Makes the field of a status of embedding that says why texts are not read. */
export const UnreadReason = () =>
  Nullable(Type.String(), {
    description:
      'Why the process that answers cannot read texts with the contextual model, such as a package that is not ' +
      'installed; searches by meaning then go by the static model alone. Null while it can, and where no model reads',
  })

/** Progress of a tenant's embedding. */
export const EmbeddingStatus = Contract('EmbeddingStatus', {
  model: Nullable(Type.String(), { description: 'The model that search uses; null before the first entry' }),
  target_model: Type.String({ description: 'The configured model; differs from `model` while the tenant moves to it' }),
  items: Int({ minimum: 0, description: 'Entries and products that need vectors' }),
  embedded: Int({ minimum: 0, description: 'How many of the items have vectors of the target model' }),
  pending: Int({ minimum: 0, description: 'Waiting jobs' }),
  failing: Int({
    minimum: 0,
    description: 'How many of the waiting jobs have failed at least once; they are tried again',
  }),
  last_error: Nullable(Type.String()),
  unread_reason: UnreadReason(),
  provider_failing_since: ProviderFailingSince(),
})
export type EmbeddingStatus = Static<typeof EmbeddingStatus>
