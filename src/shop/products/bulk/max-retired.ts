/** How many products a full sync may retire: a number, or a percentage of the site's products from the source. */
export type MaxRetired = { readonly products: number } | { readonly percent: number; readonly atLeast: number }

/** A whole number of products, or a percentage such as `25%`. */
export const MAX_RETIRED_PATTERN = String.raw`^(\d{1,9}|(\d{1,2}|100)%)$`

/** Normal for one night. A feed that lost a part usually loses more. */
export const MAX_RETIRED_DEFAULT = { percent: 10, atLeast: 5 } as const satisfies MaxRetired

/** @param text that matches `MAX_RETIRED_PATTERN` */
export function readMaxRetired(text: string): MaxRetired {
  const number = Number.parseInt(text, 10)
  return text.endsWith('%') ? { percent: number, atLeast: 0 } : { products: number }
}

/** @param had number of products that the site had from the source when the sync began */
export function allowedOf(max: MaxRetired, had: number): number {
  return 'products' in max ? max.products : Math.max(max.atLeast, Math.floor((had * max.percent) / 100))
}
