import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Product, productQuery } from '../../api/products.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Money } from '../../parts/text/money.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { Table } from '../../parts/tables/table.tsx'
import { similarQuery, variantsQuery } from './queries.ts'
import { useProductWords } from './words.ts'

/** Shows the parent of a variant. */
export function Parent({ product }: { readonly product: Product }) {
  const words = useProductWords()
  const { parent_product_id: parentId } = product
  const parent = useQuery({ ...productQuery(parentId ?? ''), enabled: parentId !== null }).data
  if (parent === undefined) return null
  return (
    <p className="product-parent">
      {words.parent}{' '}
      <Link to="/console/products/$productId" params={{ productId: parent.id }}>
        {parent.title}
      </Link>
    </p>
  )
}

export function Variants({ product }: { readonly product: Product }) {
  const words = useProductWords()
  const { language } = useLanguage()
  const variants = useQuery(variantsQuery(product.id)).data ?? []
  if (variants.length === 0) return null
  return (
    <section>
      <h2>{words.variants}</h2>
      <Table
        label={words.variants}
        rows={variants}
        keyOf={({ id }) => id}
        columns={[
          {
            head: words.variant,
            cell: ({ id, title, sku, external_id: number }) => (
              <>
                <Link to="/console/products/$productId" params={{ productId: id }}>
                  {title}
                </Link>
                <span className="second">{sku ?? number}</span>
              </>
            ),
          },
          {
            head: words.prices,
            cell: ({ price_effective: price, currency }) => <Money amount={price} currency={currency} />,
          },
          {
            head: words.stock,
            cell: ({ availability }) => (availability === null ? '' : stockName(availability, language)),
          },
        ]}
      />
    </section>
  )
}

/**
 * Lists the products nearest in meaning. They come after everything else; when they fail, the product is still there.
 */
export function Similar({ productId }: { readonly productId: string }) {
  const words = useProductWords()
  const similar = useQuery(similarQuery(productId)).data ?? []
  if (similar.length === 0) return null
  return (
    <section>
      <h2>{words.similar}</h2>
      <ul className="plain-list product-similar">
        {similar.map(({ product: { id, title, price_effective: price, currency } }) => (
          <li key={id}>
            <Link to="/console/products/$productId" params={{ productId: id }}>
              {title}
            </Link>
            <span className="second">
              <Money amount={price} currency={currency} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
