import { readFileSync } from 'node:fs'

/** Products of ordinary size from the model's vocabulary; every run makes the same. */
export function madeUpProducts(count: number): Record<string, unknown>[] {
  // The words of the first model: others would make other texts, and figures would no longer compare.
  const vocabulary = readFileSync(new URL('../../models/static-de-en-v1/vocab.txt', import.meta.url), 'utf8')
  const words = vocabulary.split('\n').filter((piece) => /^[a-z]{3,}$/.test(piece))
  let state = 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const text = (length: number): string => Array.from({ length }, () => words[next(words.length)]).join(' ')
  return Array.from({ length: count }, (_, i) => ({
    external_id: `product-${i}`,
    title: text(6),
    language: 'en',
    description: text(20),
    sku: `SKU-${next(1e9)}`,
    gtin: String(1e12 + next(1e9)),
    brand: words[next(150)],
    category: words[200 + next(60)],
    price_current: next(100_000) / 100,
    image_url: `https://images.example/${i}.jpg`,
    properties: Object.fromEntries(Array.from({ length: 18 }, (_, n) => [words[500 + n], text(2)])),
  }))
}
