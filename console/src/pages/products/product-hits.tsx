import { Link } from '@tanstack/react-router'
import { PackageOpen, SearchX } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Failure } from '../../parts/feedback/query-view.tsx'
import { Pagination } from '../../parts/tables/pagination.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { ProductTable } from './product-table.tsx'
import { useProductSearch } from './use-product-search.ts'
import type { ProductPages } from './use-product-pages.ts'
import { useProductsWords } from './words.ts'

/** Shows the products found, or why there are none. */
export function ProductHits({ pages }: { readonly pages: ProductPages }) {
  const words = useProductsWords()
  const { words: common, formats } = useLanguage()
  const { productSearch, isFiltered, set, clear } = useProductSearch()
  const maySeeRuns = useMay('products:write')
  const { query, rows, total, firstRow, isStale } = pages
  if (query.data === undefined)
    return query.isError ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton lines={10} />
    )
  if (total === 0 && (isFiltered || productSearch.q !== undefined))
    return (
      <Empty
        icon={SearchX}
        title={words.nothing}
        help={words.nothingHelp}
        action={
          isFiltered ? (
            <Button onPress={clear}>{common.filters.clear}</Button>
          ) : (
            <Button onPress={() => set({ q: null })}>{words.clear}</Button>
          )
        }
      />
    )
  if (total === 0)
    return (
      <Empty
        icon={PackageOpen}
        title={words.empty}
        help={words.emptyHelp}
        action={maySeeRuns ? <Link to="/console/products/syncs">{words.emptyAction}</Link> : undefined}
      />
    )
  return (
    <>
      <p className="products-count" role="status">
        {isStale ? '' : total === 1 ? words.foundOne : words.found(formats.number(total ?? 0))}
      </p>
      <ProductTable rows={rows} firstRow={firstRow} total={total} isStale={isStale} />
      <Pagination
        firstRow={firstRow}
        rowCount={rows.length}
        total={total}
        onPrevious={pages.onPrevious}
        onNext={pages.onNext}
      />
    </>
  )
}
