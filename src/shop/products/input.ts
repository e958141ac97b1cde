import type { ProductWrite } from './contract.ts'
import type { ProductPatchLine } from './patch-contract.ts'

/** A write of a product as its contract has checked it: all of the product, or changes of one that exists. */
export type ProductInput =
  | { readonly kind: 'whole'; readonly fields: ProductWrite }
  | { readonly kind: 'patch'; readonly fields: ProductPatchLine }
