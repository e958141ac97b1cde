import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'

type Vocabulary = AnswerOf<'/api/knowledge/search-vocabulary', 'get'>
export type Synonym = Vocabulary['synonyms'][number]

export const vocabularyQuery = queryOptions({
  queryKey: ['search-vocabulary'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/search-vocabulary', { signal })),
})

/**
 * Changes the vocabulary as it is at that moment: the service replaces it as a whole, and what somebody else added
 * since this page was opened must stay.
 */
export function useChangeVocabulary() {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: 'search-vocabulary' },
    mutationFn: async (change: (now: Vocabulary) => Vocabulary) => {
      const now = await answerOf(api.GET('/api/knowledge/search-vocabulary'))
      return answerOf(api.PUT('/api/knowledge/search-vocabulary', { body: change(now) }))
    },
    onSuccess: (stored) => queries.setQueryData(vocabularyQuery.queryKey, stored),
  })
}

/** The synonyms with one in place of another; without `after` it goes, without `before` it comes. */
export function replaced(all: readonly Synonym[], before: Synonym | null, after: Synonym | null): Synonym[] {
  const at = before === null ? -1 : all.findIndex((each) => keyOf(each) === keyOf(before))
  const rest = at < 0 ? [...all] : all.toSpliced(at, 1)
  if (after !== null) rest.splice(at < 0 ? 0 : at, 0, after)
  return rest
}

export const keyOf = ({ words, from }: Synonym): string => JSON.stringify([from ?? null, words])
