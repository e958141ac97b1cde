import { targetOf } from '../embedding/rules.ts'
import type { TargetsOf } from '../embedding/targets.ts'
import { ENTRY_EMBEDDING } from '../knowledge/entries/indexing/entry-embedding.ts'
import { PRODUCT_EMBEDDING } from '../shop/products/indexing/product-embedding.ts'

/** Returns the kinds of things that have vectors. The thread of the embedding queue loads this module too. */
export const targetsOf: TargetsOf = () => [targetOf(ENTRY_EMBEDDING), targetOf(PRODUCT_EMBEDDING)]
