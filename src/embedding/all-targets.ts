import { entryEmbeddingTarget } from '../entries/embedding-target.ts'
import { productEmbeddingTarget } from '../products/embedding-target.ts'
import type { TargetsOf } from './targets.ts'

/** Everything that has vectors; loaded by the thread of the embedding queue as well. */
export const targetsOf: TargetsOf = () => [entryEmbeddingTarget(), productEmbeddingTarget()]
