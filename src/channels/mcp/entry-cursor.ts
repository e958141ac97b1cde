import type { ListPosition } from '../../platform/database/walk.ts'
import { decodeCursor, encodeCursor } from '../../platform/contract/paging.ts'

/** @throws Fault invalid for what was no cursor of ours */
export function positionOf(cursor: string | undefined): ListPosition | null {
  if (cursor === undefined) return null
  const [createdAt, id] = decodeCursor(cursor, ['integer', 'string'])
  return { createdAt, id }
}

/** The cursor of the page that begins behind this place. */
export function cursorAt({ createdAt, id }: ListPosition): string {
  return encodeCursor([createdAt, id])
}
