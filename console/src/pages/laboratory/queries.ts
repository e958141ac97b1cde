import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'
import type { LabSearch } from './lab-search.ts'

export type ModeComparison = AnswerOf<'/api/knowledge/laboratory/search', 'post'>
export type ModeAnswer = ModeComparison['answers'][number]
export type LabHit = ModeAnswer['hits'][number]
export type Missing = AnswerOf<'/api/knowledge/laboratory/missing', 'post'>

const HITS = 10
const SUGGESTED = 8

const ROLES = ['reader', 'editor'] as const

/** Returns the part of a search that is the same in every mode. */
function questionOf({ section, view, language, relevance }: LabSearch) {
  const role = ROLES.find((each) => each === view) ?? null
  return {
    section,
    role,
    ceiling: role === null && view !== undefined ? (view as Exclude<typeof view, 'reader' | 'editor'>) : null,
    min_relevance: relevance === undefined ? null : Number(relevance),
    ...(language === undefined ? {} : { filter: { field: 'language', any_of: [language] } }),
  }
}

/** Returns the query for one search in the three modes. */
export const comparisonQuery = ({
  set: _set,
  why: _why,
  mode: _mode,
  ...labSearch
}: LabSearch & { readonly q: string }) =>
  queryOptions({
    queryKey: ['laboratory', labSearch],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/knowledge/laboratory/search', {
          signal,
          body: { ...questionOf(labSearch), query: labSearch.q, limit: HITS },
        }),
      ),
  })

/** Returns the query for the reason why an entry or product is not among the hits. */
export const missingQuery = ({ set: _set, ...labSearch }: LabSearch & { readonly q: string; readonly why: string }) =>
  queryOptions({
    queryKey: ['laboratory-missing', labSearch],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/knowledge/laboratory/missing', {
          signal,
          body: { ...questionOf(labSearch), query: labSearch.q, id: labSearch.why, mode: labSearch.mode ?? 'hybrid' },
        }),
      ),
  })

/** Returns the query for entries or products by words of their titles. */
export const titledQuery = (section: LabSearch['section'], words: string) =>
  queryOptions({
    queryKey: ['laboratory-titled', section, words],
    queryFn: async ({ signal }): Promise<{ id: string; title: string }[]> => {
      const { answers } = await answerOf(
        api.POST('/api/knowledge/laboratory/search', { signal, body: { section, query: words, limit: SUGGESTED } }),
      )
      return answers.find(({ mode }) => mode === 'hybrid')?.hits.map(({ id, title }) => ({ id, title })) ?? []
    },
  })
