import type { ListPosition } from '../../platform/database/walk.ts'
import { decodeCursor, encodeCursor } from '../../platform/contract/paging.ts'

/** Reads the position in a cursor; null without one. @throws Fault invalid when this service did not make the cursor */
export function positionOf(cursor: string | undefined): ListPosition | null {
  if (cursor === undefined) return null
  const [createdAt, id] = decodeCursor(cursor, ['integer', 'string'])
  return { createdAt, id }
}

/** Returns the cursor of the page after this position. */
export function cursorAt({ createdAt, id }: ListPosition): string {
  return encodeCursor([createdAt, id])
}
