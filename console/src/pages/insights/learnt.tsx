import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { PathLink } from '../../parts/layout/path-link.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { type Learnt, learntQuery, titleQuery } from './queries.ts'
import { useInsightsWords } from './words.ts'

/** Shows which products clicks have moved for a query, and how many visitors clicked. */
export function LearntForQuery({ query, site }: { readonly query: string; readonly site: string | undefined }) {
  const words = useInsightsWords()
  const learnt = useQuery(learntQuery(query, site))
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The button that opened this part may be far above.
    heading.current?.focus()
  }, [])
  return (
    <div className="stack">
      <h3 ref={heading} tabIndex={-1} className="wrap">
        {words.learntTitle(query)}
      </h3>
      <QueryView query={learnt}>{(learning) => <Effects learning={learning} />}</QueryView>
    </div>
  )
}

function Effects({ learning }: { readonly learning: Learnt }) {
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const { visitors, days } = learning
  if (!learning.is_learning) return <Notice tone="plain">{words.isOff}</Notice>
  const isEnough = visitors >= learning.visitors_needed && days >= learning.days_needed
  return (
    <div className="stack">
      <p>
        {isEnough || learning.products.length > 0
          ? words.enough(formats.number(visitors), formats.number(days))
          : words.notEnough(
              formats.number(visitors),
              formats.number(learning.visitors_needed),
              formats.number(days),
              formats.number(learning.days_needed),
            )}
        {learning.learnt_at === null ? null : (
          <span className="second">
            {words.computed} <Ago iso={learning.learnt_at} />
          </span>
        )}
      </p>
      {learning.products.length > 0 ? (
        <Products products={learning.products} />
      ) : isEnough ? (
        <p className="quiet">{learning.learnt_at === null ? words.notComputed : words.nothingLearnt}</p>
      ) : null}
    </div>
  )
}

function Products({ products }: { readonly products: Learnt['products'] }) {
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const mayRead = useMay('products:read')
  const titles = useQueries({
    queries: products.map(({ product_id: id }) => ({ ...titleQuery('products', id), enabled: mayRead })),
  })
  return (
    <Table
      label={words.learning}
      rows={products.map((product, i) => ({ ...product, title: titles[i]?.data }))}
      keyOf={({ product_id: id }) => id}
      columns={[
        {
          head: words.product,
          cell: ({ title, product_id: id }) =>
            title === null ? (
              <span className="quiet">{words.contentGone}</span>
            ) : (
              <PathLink to={`/console/products/${encodeURIComponent(id)}`}>{title ?? '…'}</PathLink>
            ),
        },
        {
          head: words.effect,
          cell: ({ boost }) => (boost < 0 ? words.down : words.up)(formats.percent(Math.abs(boost))),
        },
        {
          head: words.because,
          cell: (product) =>
            words.chosen(
              formats.number(product.visitors_clicked),
              formats.number(product.visitors_shown),
              formats.number(Math.round(product.expected_clicks * 10) / 10),
              formats.number(Math.round(product.clicks * 10) / 10),
            ),
        },
      ]}
    />
  )
}
