import type { JudgedQuery } from '../../api/judged-sets.ts'
import { linesFrom } from './lines.ts'

/** Saves the searches as a file of the person's device. */
export function saveLines(name: string, queries: readonly JudgedQuery[]): void {
  const address = URL.createObjectURL(new Blob([linesFrom(queries)], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
