import { benchWords } from './words.ts'

/** Makes products of ordinary size from the words of benchmarks; every run makes the same. */
export function madeUpProducts(count: number): Record<string, unknown>[] {
  const words = benchWords()
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
