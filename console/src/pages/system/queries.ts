import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'
import { etagOf, type Versioned } from '../../api/versioned.ts'

export type Status = AnswerOf<'/api/knowledge/status', 'get'>
export type Quotas = AnswerOf<'/api/knowledge/quotas', 'get'>

export type Models = AnswerOf<'/api/knowledge/embedding-models', 'get'>
export type ModelOffer = Models['models'][number]

const BUSY_MS = 3_000
const CALM_MS = 30_000

/** State of the service for the organisation. It is read often while work is under way. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/status', { signal })),
  refetchInterval: ({ state: { data } }) => (data === undefined || isBusy(data) ? BUSY_MS : CALM_MS),
})

function isBusy({ embedding, search }: Status): boolean {
  const { model, target_model: target, pending } = embedding
  return search === null || search.indexes_behind > 0 || pending > 0 || (model !== null && model !== target)
}

/** Quotas of the organisation, and its use. */
export const quotasQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/quotas', { signal })),
  refetchInterval: CALM_MS,
})

/**
 * Models that the organisation may search with. They are read anew when a move begins or ends, and not otherwise: for
 * the cost, the service looks at the length of every text.
 */
export const modelsQuery = (embedding?: Pick<Status['embedding'], 'model' | 'target_model'>) =>
  queryOptions({
    queryKey:
      embedding === undefined ? ['embedding-models'] : ['embedding-models', embedding.model, embedding.target_model],
    queryFn: async ({ signal }): Promise<Versioned<Models>> => {
      const call = api.GET('/api/knowledge/embedding-models', { signal })
      return { value: await answerOf(call), etag: etagOf((await call).response) }
    },
    placeholderData: (earlier) => earlier,
  })

/** Chooses the model to search with; null leaves that to the operator. @throws ApiFault */
export function chooseModel(choice: Models['choice'], etag: string): Promise<Models> {
  const params = { header: { 'If-Match': etag } }
  return answerOf(api.PATCH('/api/knowledge/embedding-models', { body: { choice }, params }))
}

/** Returns a function that reads all data of the page again. */
export function useCheckAgain(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const { queryKey } of [statusQuery, quotasQuery, modelsQuery()]) void queries.invalidateQueries({ queryKey })
  }
}
