import { termOf } from '../analysis/partitions.ts'
import type { Correction } from '../engine.ts'
import type { NameWords } from '../analysis/name-words.ts'

/** Returns the words of a title for which a word was mistyped, as the title spells them. */
export function spellingsIn({ nearest }: Correction, { written, folded }: NameWords): string[] {
  return written.filter((_, i) =>
    nearest.some(({ term, partitions }) => partitions.some((partition) => termOf(partition, folded[i]) === term)),
  )
}
