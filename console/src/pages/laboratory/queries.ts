import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from '../../api/client.ts'
import type { Asked } from './asked.ts'

export type Compared = AnswerOf<'/api/knowledge/laboratory/search', 'post'>
export type ModeAnswer = Compared['answers'][number]
export type Mode = ModeAnswer['mode']
export type LabHit = ModeAnswer['hits'][number]
export type Missing = AnswerOf<'/api/knowledge/laboratory/missing', 'post'>

const HITS = 10
const SUGGESTED = 8

const ROLES = ['reader', 'editor'] as const

/** The part of a search that is the same in every mode. */
function questionOf({ section, view, language, relevance }: Asked) {
  const role = ROLES.find((each) => each === view) ?? null
  return {
    section,
    role,
    ceiling: role === null && view !== undefined ? (view as Exclude<typeof view, 'reader' | 'editor'>) : null,
    min_relevance: relevance === undefined ? null : Number(relevance),
    ...(language === undefined ? {} : { filter: { field: 'language', any_of: [language] } }),
  }
}

/** One query in the three modes. */
export const comparisonQuery = ({ set: _set, why: _why, mode: _mode, ...asked }: Asked & { readonly q: string }) =>
  queryOptions({
    queryKey: ['laboratory', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/knowledge/laboratory/search', {
          signal,
          body: { ...questionOf(asked), query: asked.q, limit: HITS },
        }),
      ),
  })

/** Why something is not among the hits. */
export const missingQuery = ({ set: _set, ...asked }: Asked & { readonly q: string; readonly why: string }) =>
  queryOptions({
    queryKey: ['laboratory-missing', asked],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/api/knowledge/laboratory/missing', {
          signal,
          body: { ...questionOf(asked), query: asked.q, id: asked.why, mode: asked.mode ?? 'hybrid' },
        }),
      ),
  })

/** Entries or products by the words of their titles. */
export const titledQuery = (section: Asked['section'], words: string) =>
  queryOptions({
    queryKey: ['laboratory-titled', section, words],
    queryFn: async ({ signal }): Promise<{ id: string; title: string }[]> => {
      const { answers } = await answerOf(
        api.POST('/api/knowledge/laboratory/search', { signal, body: { section, query: words, limit: SUGGESTED } }),
      )
      return answers.find(({ mode }) => mode === 'hybrid')?.hits.map(({ id, title }) => ({ id, title })) ?? []
    },
  })
