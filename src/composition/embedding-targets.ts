import type { TargetsOf } from '../embedding/targets.ts'
import { entryEmbeddingTarget } from '../knowledge/entries/indexing/embedding-target.ts'
import { productEmbeddingTarget } from '../shop/products/indexing/embedding-target.ts'

/** Everything that has vectors; loaded by the thread of the embedding queue as well. */
export const targetsOf: TargetsOf = () => [entryEmbeddingTarget(), productEmbeddingTarget()]
