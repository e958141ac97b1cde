import { readFileSync } from 'node:fs'

/**
 * Returns the words of which benchmarks make their texts: 41,420 words and pieces of words, German and English, of the
 * first built-in model's vocabulary. They stay the same, because other words would make other texts, whose figures
 * could not be compared.
 */
export function benchWords(): string[] {
  return readFileSync(new URL('../words.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split(/\s/)
}
