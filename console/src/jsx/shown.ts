import { harmless } from './harmless.ts'

/** Properties that browsers show as text. */
const SHOWN = ['children', 'title', 'alt', 'placeholder'] as const

/**
 * Returns the properties of an element with their texts made harmless (`harmless`). Here nobody who shows a name has to
 * think of it. What people edit is a `value`, which stays as it is, or saving would change it. The same properties come
 * back where there is nothing to change, which is nearly always.
 */
export function shown<Props extends object | null | undefined>(props: Props): Props {
  if (props === null || props === undefined) return props
  let changed: Record<string, unknown> | null = null
  for (const name of SHOWN) {
    const before = (props as Record<string, unknown>)[name]
    const after = shownText(before)
    if (after !== before) changed = { ...(changed ?? (props as Record<string, unknown>)), [name]: after }
  }
  return (changed as Props | null) ?? props
}

function shownText(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value)
  if (!Array.isArray(value) || !value.some((each) => typeof each === 'string' && harmless(each) !== each)) return value
  return value.map((each: unknown) => (typeof each === 'string' ? harmless(each) : each))
}
