import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from './ids.ts'

/** Ids of the built-in models, by the names under which they are chosen; the best first. */
export const BUILTIN_MODELS = {
  both: BOTH_ID,
  'contextual-eu-v1': CONTEXTUAL_ID,
  'static-de-en-v2': STATIC_ID,
} as const

export type BuiltinName = keyof typeof BUILTIN_MODELS

export const BUILTIN_NAMES = Object.keys(BUILTIN_MODELS) as readonly BuiltinName[]

/** Tells whether a word is the name of a built-in model. */
export function isBuiltinName(word: string): word is BuiltinName {
  return Object.hasOwn(BUILTIN_MODELS, word)
}

/** Returns the name of a built-in model by its id; null for every other id. */
export function builtinNameOf(id: string | null): BuiltinName | null {
  return BUILTIN_NAMES.find((name) => BUILTIN_MODELS[name] === id) ?? null
}
