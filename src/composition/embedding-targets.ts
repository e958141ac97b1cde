import type { TargetsOf } from '../embedding/targets.ts'
import { entryEmbeddingTarget } from '../knowledge/entries/indexing/embedding-target.ts'
import { productEmbeddingTarget } from '../shop/products/indexing/embedding-target.ts'

/** Everything that has vectors. The thread of the embedding queue loads this module too. */
export const targetsOf: TargetsOf = () => [entryEmbeddingTarget(), productEmbeddingTarget()]
