import type { SearchHit } from '../engine.ts'

/** Returns a hit without its passage, where the request asks for one. */
export function withoutPassage(hit: SearchHit): SearchHit {
  const { passage, explanation, ...rest } = hit
  return {
    ...rest,
    ...(passage === undefined ? {} : { passage: null }),
    ...(explanation === undefined ? {} : { explanation: { ...explanation, passage: null } }),
  }
}
