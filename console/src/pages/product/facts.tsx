import type { Product } from '../../api/products.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Money } from '../../parts/text/money.tsx'
import { stockName } from '../../parts/text/stock.ts'
import { Ago, Moment } from '../../parts/text/time.tsx'
import { useProductWords } from './words.ts'

interface ProductProps {
  readonly product: Product
}

export function Prices({ product }: ProductProps) {
  const words = useProductWords()
  const { currency, price_effective: now, price_current: normal, price_special: special, price_msrp: msrp } = product
  const money = (amount: string | null) => <Money amount={amount} currency={currency} />
  return (
    <section>
      <h2>{words.prices}</h2>
      <p className="product-price">
        {product.price_on_request ? words.onRequest : <Money amount={now} currency={currency} none={words.noPrice} />}
      </p>
      <DescriptionList
        facts={[
          normal === null ? null : [words.normal, money(normal)],
          special === null || Number(special) === 0
            ? null
            : [
                words.special,
                <>
                  {money(special)}
                  <SpecialDates product={product} />
                </>,
              ],
          msrp === null ? null : [words.msrp, money(msrp)],
        ]}
      />
    </section>
  )
}

function SpecialDates({ product }: ProductProps) {
  const words = useProductWords()
  const { formats } = useLanguage()
  const { price_special_from: from, price_special_until: until } = product
  if (from === null && until === null) return null
  const text =
    from === null
      ? words.specialUntil(formats.moment(until ?? ''))
      : until === null
        ? words.specialFrom(formats.moment(from))
        : words.specialBetween(formats.moment(from), formats.moment(until))
  return <span className="second">{text}</span>
}

export function Facts({ product }: ProductProps) {
  const words = useProductWords()
  const { language, formats } = useLanguage()
  const { availability, rating_average: rating, gtin, gtins = [] } = product
  const codes = [...new Set([gtin, ...gtins].filter((code) => code !== null))]
  return (
    <section>
      <h2>{words.facts}</h2>
      <DescriptionList
        facts={[
          product.brand === null ? null : [words.brand, product.brand],
          product.category === null ? null : [words.category, product.category],
          availability === null ? null : [words.stock, stockName(availability, language)],
          product.external_id === null ? null : [words.externalId, product.external_id],
          product.sku === null ? null : [words.sku, product.sku],
          codes.length === 0 ? null : [words.gtin, codes.join(', ')],
          [words.language, formats.languageName(product.language)],
          rating === null
            ? null
            : [words.rating, words.ratingOf(formats.number(Number(rating)), formats.number(product.rating_count))],
          product.product_url === null ? null : [words.address, <Address key="page" text={product.product_url} />],
          product.search_keywords.length === 0 ? null : [words.searchWords, formats.list(product.search_keywords)],
        ]}
      />
    </section>
  )
}

/** Shows an address. Only web addresses are links, because a shop may send any text. */
function Address({ text }: { readonly text: string }) {
  if (!/^https?:\/\//i.test(text)) return breakable(text)
  return (
    <a href={text} rel="noopener noreferrer" target="_blank">
      {breakable(text)}
    </a>
  )
}

/**
 * Lists the addresses of the pictures. The pictures themselves are not shown, because the policy of the console lets in
 * none of another origin.
 */
export function Images({ product }: ProductProps) {
  const words = useProductWords()
  const { image_url: first, additional_images: others } = product
  const all = [...(first === null ? [] : [first]), ...others]
  if (all.length === 0) return null
  return (
    <section>
      <h2>{words.images}</h2>
      <ul className="plain-list product-images">
        {[...new Set(all)].map((address) => (
          <li key={address}>
            <Address text={address} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Lists attributes as the shop sent them. */
export function FreeFacts({ title, values }: { readonly title: string; readonly values: Record<string, unknown> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <DescriptionList facts={entries.map(([name, value]) => [name, textOf(value)])} />
    </section>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value)
}

export function History({ product }: ProductProps) {
  const words = useProductWords()
  const { last_synced_at: synced } = product
  return (
    <section>
      <h2>{words.history}</h2>
      <DescriptionList
        facts={[
          [words.synced, synced === null ? words.never : <Ago key="synced" iso={synced} />],
          [words.changed, <Ago key="changed" iso={product.updated_at} />],
          [words.created, <Moment key="created" iso={product.created_at} />],
          [words.source, words.sources[product.source]],
        ]}
      />
    </section>
  )
}
