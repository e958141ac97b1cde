import { readFileSync } from 'node:fs'

/**
 * What benchmarks make their texts of: 41,420 words and pieces of words, German and English, that the first built-in
 * model knew. They stay as they are, because other words would make other texts, and figures would no longer compare.
 */
export function benchWords(): string[] {
  return readFileSync(new URL('../words.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split(/\s/)
}
