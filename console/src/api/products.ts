import { queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'

export type Product = AnswerOf<'/api/knowledge/products/{product_id}', 'get'>

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/knowledge/products/{product_id}', { signal, params: { path: { product_id: id } } })),
  })

/**
 * Returns the products of hits with the fields that their search named. The answer of such a search has them, but the
 * contract's type cannot depend on one request's fields.
 */
export const productsWith = <Field extends keyof Product>(
  _fields: readonly Field[],
  hits: readonly { readonly product: Partial<Product> }[],
) => hits.map(({ product }) => product as Pick<Product, Field>)
