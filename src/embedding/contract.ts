import { Contract, Int, Nullable, type Static, Type } from '../platform/contract/schema.ts'

/** How far the vectors of a tenant are. */
export const EmbeddingStatus = Contract('EmbeddingStatus', {
  model: Nullable(Type.String(), { description: 'The model search compares with; null before the first entry' }),
  target_model: Type.String({ description: 'The configured model; differs from `model` while the tenant moves to it' }),
  items: Int({ minimum: 0, description: 'Entries and products that want vectors' }),
  embedded: Int({ minimum: 0, description: 'Of those, how many have vectors of the target model' }),
  pending: Int({ minimum: 0, description: 'Jobs that wait' }),
  failing: Int({ minimum: 0, description: 'Waiting jobs that have failed at least once and are tried again' }),
  last_error: Nullable(Type.String()),
})
export type EmbeddingStatus = Static<typeof EmbeddingStatus>
