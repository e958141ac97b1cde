import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, everyPage } from './client.ts'

export type Product = AnswerOf<'/api/knowledge/products/{product_id}', 'get'>
export type Site = AnswerOf<'/api/knowledge/sites', 'get'>[number]

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }) => everyPage((query) => api.GET('/api/knowledge/sites', { signal, params: { query } })),
})

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/knowledge/products/{product_id}', { signal, params: { path: { product_id: id } } })),
  })
