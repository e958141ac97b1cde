import { useQuery } from '@tanstack/react-query'
import { SearchField as AriaSearchField, Input, Button } from 'react-aria-components'
import { Search, X } from 'lucide-react'
import { sitesQuery } from '../../api/sites.ts'
import { Select } from '../../parts/fields/select.tsx'
import { useQueryText } from '../../parts/fields/use-query-text.ts'
import { SORTS } from './product-search.ts'
import { useProductSearch } from './use-product-search.ts'
import { useProductsWords } from './words.ts'

const ALL = 'all'

/** Lets people choose a site, words and an order. */
export function SearchBar() {
  const words = useProductsWords()
  const { productSearch, set } = useProductSearch()
  const sites = useQuery(sitesQuery).data ?? []
  const first = productSearch.q === undefined ? words.orders.newest : words.orders.best
  const orders = SORTS.filter((id) => productSearch.q !== undefined || id !== 'updated-desc')
  return (
    <div className="products-bar">
      <Words key="words" />
      {sites.length < 2 ? null : (
        <Select
          label={words.site}
          isLabelHidden
          chosen={productSearch.site ?? ALL}
          choices={[{ id: ALL, name: words.allSites }, ...sites.map(({ slug, name }) => ({ id: slug, name }))]}
          onChoose={(id) => set({ site: id === ALL ? null : id })}
        />
      )}
      <Select
        label={words.order}
        isLabelHidden
        chosen={productSearch.sort ?? ALL}
        choices={[{ id: ALL, name: first }, ...orders.map((id) => ({ id, name: words.orders[id] }))]}
        onChoose={(id) => set({ sort: id === ALL ? null : id })}
      />
    </div>
  )
}

/** Shows the field for the words. It follows the address, and the address follows it after a pause. */
function Words() {
  const words = useProductsWords()
  const { productSearch, set } = useProductSearch()
  const { q = '' } = productSearch
  const { typed, type, askNow } = useQueryText(q, (next, isReplacing) => set({ q: next }, isReplacing))
  return (
    <AriaSearchField
      className="products-search"
      aria-label={words.field}
      value={typed}
      maxLength={1_000}
      onChange={(text) => type(text)}
      onSubmit={askNow}
      onClear={() => askNow('')}
    >
      <Search className="icon" size={18} aria-hidden />
      <Input placeholder={words.placeholder} />
      {typed === '' ? null : (
        <Button className="button button-quiet button-small button-icon" aria-label={words.clear}>
          <X className="icon" size={16} aria-hidden />
        </Button>
      )}
    </AriaSearchField>
  )
}
