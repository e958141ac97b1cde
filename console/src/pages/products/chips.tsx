import { useLanguage } from '../../i18n/language.tsx'
import { FilterChips } from '../../parts/fields/chips.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { useProductSearch } from './use-product-search.ts'
import { useProductsWords } from './words.ts'

/** Shows the filters that are set; each can be removed. */
export function Chips() {
  const words = useProductsWords()
  const { language, formats } = useLanguage()
  const { productSearch, set, clear } = useProductSearch()
  const { category, brand = [], availability = [], min, max } = productSearch
  const chips = [
    ...(category === undefined ? [] : [{ id: 'category', name: words.chip(words.category, category) }]),
    ...brand.map((value) => ({ id: `brand ${value}`, name: words.chip(words.brand, value) })),
    ...availability.map((value) => ({
      id: `stock ${value}`,
      name: words.chip(words.stock, stockName(value, language)),
    })),
    ...(min === undefined && max === undefined
      ? []
      : [{ id: 'price', name: words.chip(words.price, rangeOf(min, max)) }]),
  ]
  const remove = (id: string): void => {
    if (id === 'category') set({ category: null })
    else if (id === 'price') set({ min: null, max: null })
    else if (id.startsWith('brand ')) set({ brand: brand.filter((each) => `brand ${each}` !== id) })
    else set({ availability: availability.filter((each) => `stock ${each}` !== id) })
  }
  return <FilterChips chips={chips} onRemove={remove} onClear={clear} />

  function rangeOf(from: number | undefined, to: number | undefined): string {
    if (from === undefined) return words.belowOnly(formats.number(to ?? 0))
    if (to === undefined) return words.aboveOnly(formats.number(from))
    return words.priceRange(formats.number(from), formats.number(to))
  }
}
