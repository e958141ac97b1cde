import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, ApiFault } from './client.ts'
import { etagOf } from './versioned.ts'

type Vocabulary = AnswerOf<'/api/knowledge/search-vocabulary', 'get'>
export type Synonym = Vocabulary['synonyms'][number]

/** Most attempts of one change: it begins anew whenever another person's change came first. */
const ATTEMPTS_MAX = 4

export const vocabularyQuery = queryOptions({
  queryKey: ['search-vocabulary'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/search-vocabulary', { signal })),
})

/**
 * Changes the vocabulary as it is stored at that moment: the service replaces it as a whole, and words that another
 * person added since this page was opened must stay.
 */
export function useChangeVocabulary() {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: 'search-vocabulary' },
    mutationFn: changeVocabulary,
    onSuccess: (stored) => queries.setQueryData(vocabularyQuery.queryKey, stored),
  })
}

/** Reads the vocabulary, changes it and writes it back. Begins anew when another person wrote in between (If-Match). */
async function changeVocabulary(change: (now: Vocabulary) => Vocabulary): Promise<Vocabulary> {
  for (let attempt = 1; ; attempt++) {
    const reading = api.GET('/api/knowledge/search-vocabulary')
    const body = change(await answerOf(reading))
    const params = { header: { 'If-Match': etagOf((await reading).response) } }
    try {
      return await answerOf(api.PUT('/api/knowledge/search-vocabulary', { params, body }))
    } catch (error) {
      if (!(error instanceof ApiFault && error.status === 412) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}
