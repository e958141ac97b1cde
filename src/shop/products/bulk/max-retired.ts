/** Most products that a full sync may retire: a number, or a percentage of the site's products from the source. */
export type MaxRetired = { readonly products: number } | { readonly percent: number; readonly atLeast: number }

/** Pattern of a whole number of products, or of a percentage such as `25%`. */
export const MAX_RETIRED_PATTERN = String.raw`^(\d{1,9}|(\d{1,2}|100)%)$`

/** Default bound, which a normal night does not reach. A feed that lost a part usually loses more. */
export const MAX_RETIRED_DEFAULT = { percent: 10, atLeast: 5 } as const satisfies MaxRetired

/** Parses a bound. @param text matches `MAX_RETIRED_PATTERN` */
export function readMaxRetired(text: string): MaxRetired {
  const number = Number.parseInt(text, 10)
  return text.endsWith('%') ? { percent: number, atLeast: 0 } : { products: number }
}

/** Returns the number of products of a bound. @param had number that the site had from the source at the beginning */
export function allowedOf(max: MaxRetired, had: number): number {
  return 'products' in max ? max.products : Math.max(max.atLeast, Math.floor((had * max.percent) / 100))
}
