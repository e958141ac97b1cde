/** Written by `npm run model-scales`: what the built-in models make of texts that have nothing in common. */
import type { UnrelatedCosines } from './scale.ts'

export const BUILTIN_COSINES: Readonly<Record<string, UnrelatedCosines>> = {
  'builtin:static-de-en-v2:256': { mean: 0.03865, spread: 0.07979 },
  'builtin:contextual-eu-v1:384': { mean: 0.04991, spread: 0.08342 },
  'builtin:contextual-eu-v1+static-de-en-v2:512': { mean: 0.04973, spread: 0.07696 },
}
