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
 * The products of hits whose search named these fields: they are there, which the contract cannot say of one request.
 */
export const productsWith = <Field extends keyof Product>(
  _fields: readonly Field[],
  hits: readonly { readonly product: Partial<Product> }[],
) => hits.map(({ product }) => product as Pick<Product, Field>)
