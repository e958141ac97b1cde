import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, everyPage } from './client.ts'
import { etagOf, type Versioned } from './versioned.ts'

export type Category = AnswerOf<'/api/knowledge/categories', 'get'>[number]

/** All categories, by sort order, then name. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) =>
    everyPage((query) =>
      api.GET('/api/knowledge/categories', { signal, params: { query: { ...query, limit: 1_000 } } }),
    ),
})

/** Counts of entries by the id of their category. */
export type CategoryCounts = ReadonlyMap<string, AnswerOf<'/api/knowledge/categories/counts', 'get'>[number]>

/** Entries that the person may see, by id of their category; those without any in their subtree are missing. */
export const categoryCountsQuery = queryOptions({
  queryKey: ['category-counts'],
  queryFn: async ({ signal }): Promise<CategoryCounts> => {
    const rows = await answerOf(api.GET('/api/knowledge/categories/counts', { signal }))
    return new Map(rows.map((row) => [row.category_id, row]))
  },
})

export interface CategoryFields {
  readonly name: string
  readonly description: string | null
}

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all(
        [categoriesQuery, categoryCountsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
      ),
  })
}

export const useCreateCategory = () =>
  useChange((body: CategoryFields & { readonly parent_id: string | null }) =>
    answerOf(api.POST('/api/knowledge/categories', { body })),
  )

/** Moves a category below another one. */
export const useUpdateCategory = () =>
  useChange(({ id, ...body }: { readonly id: string; readonly parent_id: string | null }) =>
    answerOf(api.PATCH('/api/knowledge/categories/{category_id}', { params: { path: { category_id: id } }, body })),
  )

/** Reads a category as it is stored now. */
export async function readCategory(id: string): Promise<Versioned<Category>> {
  const call = api.GET('/api/knowledge/categories/{category_id}', { params: { path: { category_id: id } } })
  return { value: await answerOf(call), etag: etagOf((await call).response) }
}

/** Changes a category. @throws ApiFault with 412 when the category is no longer in the state that `etag` names */
export const changeCategory = (id: string, body: Partial<CategoryFields>, etag: string) =>
  answerOf(
    api.PATCH('/api/knowledge/categories/{category_id}', {
      params: { path: { category_id: id }, header: { 'If-Match': etag } },
      body,
    }),
  )

/** Puts a category before a neighbour, or last without one; the order of the others stays. */
export const useMoveCategory = () =>
  useChange(
    ({ id, ...body }: { readonly id: string; readonly parent_id: string | null; readonly before_id: string | null }) =>
      answerOf(
        api.POST('/api/knowledge/categories/{category_id}/move', { params: { path: { category_id: id } }, body }),
      ),
  )

export const useRemoveCategory = () =>
  useChange((id: string) =>
    answerOf(api.DELETE('/api/knowledge/categories/{category_id}', { params: { path: { category_id: id } } })),
  )

interface Merge {
  readonly id: string
  readonly intoId: string
  /** Called after each step with the number of entries moved so far. */
  readonly onMoved: (count: number) => void
}

/**
 * Merges one category into another in steps: the service moves up to 500 entries at each call, so the call is repeated
 * until the service says that it is done.
 */
export const useMergeCategory = () =>
  useChange(async ({ id, intoId, onMoved }: Merge): Promise<void> => {
    for (let moved = 0; ;) {
      const step = await answerOf(
        api.POST('/api/knowledge/categories/{category_id}/merge', {
          params: { path: { category_id: id } },
          body: { into_id: intoId },
        }),
      )
      moved += step.moved_entries
      onMoved(moved)
      if (step.done) return
    }
  })
