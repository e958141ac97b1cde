import { termOf } from '../analysis/partitions.ts'
import type { Correction } from '../engine.ts'
import type { NameWords } from '../analysis/name-words.ts'

/** The words of a title that a mistyped word stands for, as the title has them. */
export function spelledAs({ nearest }: Correction, { written, folded }: NameWords): string[] {
  return written.filter((_, i) =>
    nearest.some(({ term, partitions }) => partitions.some((partition) => termOf(partition, folded[i]) === term)),
  )
}
