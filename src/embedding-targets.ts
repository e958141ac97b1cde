import type { TargetsOf } from './embedding/targets.ts'
import { entryEmbeddingTarget } from './entries/embedding-target.ts'
import { productEmbeddingTarget } from './products/embedding-target.ts'

/** Everything that has vectors; loaded by the thread of the embedding queue as well. */
export const targetsOf: TargetsOf = () => [entryEmbeddingTarget(), productEmbeddingTarget()]
