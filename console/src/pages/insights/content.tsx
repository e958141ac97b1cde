import { useQueries } from '@tanstack/react-query'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { PathLink } from '../../parts/layout/path-link.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { LIST, SECTIONS } from './choices.ts'
import { type Analytics, titleQuery } from './queries.ts'
import { useInsightsWords } from './words.ts'

/** Lists the entries and products that people opened most often. */
export function Content({ opened }: { readonly opened: Analytics['top_products'] }) {
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const mayRead = { knowledge: useMay('knowledge:read'), products: useMay('products:read') }
  const first = opened.slice(0, LIST.short)
  const titles = useQueries({
    queries: first.map(({ section, product_id: id }) => ({
      ...titleQuery(section, id),
      enabled: section === 'products' ? mayRead.products : mayRead.knowledge,
    })),
  })
  const rows = first.map((row, i) => ({ ...row, title: titles[i]?.data }))
  return (
    <Section title={words.content}>
      {rows.length === 0 ? (
        <Empty title={words.contentEmpty} />
      ) : (
        <Table
          label={words.content}
          rows={rows}
          keyOf={({ section, product_id: id }) => `${section} ${id}`}
          columns={[
            {
              head: words.contentTitle,
              cell: ({ title, section, product_id: id }) =>
                title === undefined ? (
                  <span className="quiet">…</span>
                ) : title === null ? (
                  <span className="quiet">{words.contentGone}</span>
                ) : (
                  <PathLink
                    to={`/console/${section === 'products' ? 'products' : 'entries'}/${encodeURIComponent(id)}`}
                  >
                    {title}
                  </PathLink>
                ),
            },
            {
              head: words.kind,
              cell: ({ section }) => {
                const name = SECTIONS.find((each) => each === section)
                return name === undefined ? section : words.sections[name]
              },
            },
            { head: words.clicks, cell: ({ clicks }) => formats.number(clicks) },
          ]}
        />
      )}
    </Section>
  )
}
