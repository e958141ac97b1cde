import {
  Contract,
  DateTime,
  Flag,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Type,
} from '../platform/contract/schema.ts'
import { BUILTIN_MODELS, BUILTIN_NAMES } from './builtin/names.ts'

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
  target_model: Type.String({
    description: 'The model that search should use; differs from `model` while the tenant moves to it',
  }),
  items: Int({ minimum: 0, description: 'Entries and products that need vectors' }),
  embedded: Int({
    minimum: 0,
    description:
      'How many of the items have vectors of the target model, or what stands in for them until their texts are read',
  }),
  pending: Int({
    minimum: 0,
    description:
      'How many of the items wait for vectors of the target model. A move has ended once `model` is `target_model`',
  }),
  failing: Int({
    minimum: 0,
    description: 'How many of the waiting items have failed at least once; they are tried again',
  }),
  last_error: Nullable(Type.String()),
  unread_reason: UnreadReason(),
  provider_failing_since: ProviderFailingSince(),
})
export type EmbeddingStatus = Static<typeof EmbeddingStatus>

const Choice = (description: string) => Nullable(OneOf(BUILTIN_NAMES), { description })

/** The models that a tenant may choose for its searches, and what a move to each costs. */
export const EmbeddingModels = Contract(
  'EmbeddingModels',
  {
    choice: Choice('The model that the tenant has chosen; null while it leaves that to the installation'),
    model: Nullable(Type.String(), { description: 'Id of the model that search uses; null before the first entry' }),
    target_model: Type.String({
      description: 'Id of the model that search should use; differs from `model` while the tenant moves to it',
    }),
    default_model: Type.String({ description: 'Id of the model that the tenant would have without a choice' }),
    models: ListOf(
      Type.Object({
        name: OneOf(BUILTIN_NAMES),
        model: Type.String({ description: 'Its id' }),
        can_be_chosen: Flag({ description: 'Whether this service can read with it' }),
        reason: Nullable(Type.String(), { description: 'Why it cannot, for the operator of the service' }),
        items: Int({ minimum: 0, description: 'Entries and products without vectors of it, which a move would make' }),
        passages: Int({ minimum: 0, description: 'Their passages, estimated by the lengths of their texts' }),
        tokens: Int({
          minimum: 0,
          description: 'Their tokens, estimated likewise; they count for a quota of tokens',
        }),
        minutes: Int({
          minimum: 0,
          description:
            'Minutes of work on one core, rounded up: by the speed of this process once it has read enough, until then ' +
            'by that of an ordinary server. Other tenants’ work comes in between. Searches go on meanwhile',
        }),
      }),
      { description: 'The best one first' },
    ),
  },
  {
    examples: [
      {
        choice: null,
        model: BUILTIN_MODELS['static-de-en-v2'],
        target_model: BUILTIN_MODELS['static-de-en-v2'],
        default_model: BUILTIN_MODELS['static-de-en-v2'],
        models: [
          {
            name: 'both',
            model: BUILTIN_MODELS.both,
            can_be_chosen: true,
            reason: null,
            items: 20_000,
            passages: 31_500,
            tokens: 7_000_000,
            minutes: 15,
          },
        ],
      },
    ],
  },
)
export type EmbeddingModels = Static<typeof EmbeddingModels>

export const EmbeddingModelChoice = Contract('EmbeddingModelChoice', {
  choice: Choice('The model to search with; null leaves the choice to the installation'),
})
export type EmbeddingModelChoice = Static<typeof EmbeddingModelChoice>
