/** Divides a list, in its order, into parts of at most `bytesMax` bytes each. A larger item is a part of its own. */
export function* byteParts<T extends { readonly bytes: number }>(
  list: readonly T[],
  bytesMax: number,
): Generator<readonly T[]> {
  let start = 0
  let bytes = 0
  for (const [i, item] of list.entries()) {
    bytes += item.bytes
    if (i === start || bytes <= bytesMax) continue
    yield list.slice(start, i)
    start = i
    bytes = item.bytes
  }
  if (start < list.length) yield list.slice(start)
}
