import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../i18n/language.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Money } from '../../parts/text/money.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { Ago } from '../../parts/text/time.tsx'
import type { Row } from './queries.ts'
import { useProductsWords } from './words.ts'

/** Lists one page of products. */
export function ProductTable(props: {
  readonly rows: readonly Row[]
  readonly firstRow: number
  readonly total: number | null
  readonly isStale: boolean
}) {
  const words = useProductsWords()
  const { language } = useLanguage()
  return (
    <DataTable
      label={words.title}
      {...props}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      columns={[
        { id: 'product', head: words.product, width: 'minmax(0, 3fr)', cell: (row) => <Name row={row} /> },
        { id: 'brand', head: words.brand, width: 'minmax(0, 1fr)', cell: ({ brand }) => brand ?? '' },
        { id: 'price', head: words.price, width: '7rem', isNumber: true, cell: (row) => <Price row={row} /> },
        {
          id: 'stock',
          head: words.stock,
          width: '8rem',
          cell: ({ availability }) =>
            availability === null ? (
              <span className="quiet">{words.unknownStock}</span>
            ) : (
              stockName(availability, language)
            ),
        },
        { id: 'changed', head: words.changed, width: '7rem', cell: ({ updated_at: at }) => <Ago iso={at} /> },
      ]}
    />
  )
}

function Name({ row }: { readonly row: Row }) {
  const words = useProductsWords()
  const facts = [row.sku ?? row.external_id, row.category].filter((each) => each !== null && each !== '')
  return (
    <>
      <Link to="/console/products/$productId" params={{ productId: row.id }} lang={row.language}>
        {row.title}
      </Link>
      <span className="second">
        {facts.join(' · ')}
        {row.is_parent ? <span className="badge">{words.parent}</span> : null}
        {row.is_variant ? <span className="badge">{words.variant}</span> : null}
      </span>
    </>
  )
}

function Price({ row }: { readonly row: Row }) {
  const words = useProductsWords()
  if (row.price_on_request) return words.onRequest
  const { price_effective: now, price_current: normal, currency } = row
  return (
    <>
      <Money amount={now} currency={currency} none={words.noPrice} />
      {now === normal || normal === null ? null : (
        <s className="second">
          <Money amount={normal} currency={currency} />
        </s>
      )}
    </>
  )
}
