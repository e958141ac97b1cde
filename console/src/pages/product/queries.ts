import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'

const SIMILAR = 6
const VARIANTS = 100

export const variantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', id, 'variants'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/products', { signal, params: { query: { parent_product_id: id, limit: VARIANTS } } }),
      ),
  })

export const similarQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', id, 'similar'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/knowledge/products/{product_id}/similar', {
          signal,
          params: { path: { product_id: id }, query: { limit: SIMILAR } },
        }),
      ),
  })

export const removeProduct = (id: string) =>
  answerOf(api.DELETE('/api/knowledge/products/{product_id}', { params: { path: { product_id: id } } }))
