import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../docs/capacity.md', import.meta.url))

/** Writes docs/capacity.md. */
export function writeCapacityPage(text: string): void {
  writeFileSync(PAGE, `${text}\n`)
}
