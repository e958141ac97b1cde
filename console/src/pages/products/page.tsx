import { useState } from 'react'
import { Lock } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Chips } from './chips.tsx'
import { Facets } from './facets.tsx'
import { ProductHits } from './product-hits.tsx'
import { SearchBar } from './search-bar.tsx'
import { useProductSearch } from './use-product-search.ts'
import { useProductPages } from './use-product-pages.ts'
import { useProductsWords } from './words.ts'
import './page.css'

/** Shows all products, to search by words, filters and counts. */
export function ProductsPage() {
  const words = useProductsWords()
  const mayRead = useMay('products:read')
  return (
    <Page title={words.title} intro={words.intro}>
      {mayRead ? <Products /> : <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />}
    </Page>
  )
}

function Products() {
  const words = useProductsWords()
  const { productSearch } = useProductSearch()
  const pages = useProductPages(productSearch)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="products">
      <SearchBar />
      <div className="products-open">
        <Button size="small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? words.hideFilters : words.showFilters}
        </Button>
      </div>
      <aside className={isOpen ? 'products-side is-open' : 'products-side'} aria-label={words.filters}>
        <Facets facets={pages.facets} />
      </aside>
      <div className="products-main">
        <Chips />
        <ProductHits pages={pages} />
      </div>
    </div>
  )
}
