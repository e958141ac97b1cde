import { useQuery } from '@tanstack/react-query'
import { isInForce, type Rule, rulesQuery } from '../../api/merchandising.ts'
import type { Product } from '../../api/products.ts'
import { sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { useMinute } from '../../parts/text/time.tsx'
import { useProductWords } from './words.ts'

/** Shows on which site the product is, and which of the site's rules hide or move it now. */
export function SiteAndRules({ product }: { readonly product: Product }) {
  const words = useProductWords()
  const mayRead = useMay('products:write')
  const site = useQuery(sitesQuery).data?.find(({ id }) => id === product.site_id)
  const rules = useQuery({ ...rulesQuery(product.site_id), enabled: mayRead })
  const now = useMinute()
  const about = (rules.data ?? []).filter((rule) => isInForce(rule, now) && isAbout(rule, product))
  return (
    <section>
      <h2>{words.shown}</h2>
      <p>
        {site?.name} {site?.domain == null ? null : <span className="second">{site.domain}</span>}
      </p>
      {rules.isError ? <p className="quiet">{words.rulesFailed}</p> : null}
      {rules.isSuccess && about.length === 0 ? <p className="quiet">{words.noRule}</p> : null}
      <ul className="plain-list">
        {about.map((rule) => (
          <li key={rule.id}>
            {sayRule(rule, words)}
            {rule.query === null ? null : <span className="second">{words.forQuery(rule.query)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Tells whether a rule concerns a product. All lists of the rule must match; a parent stands for its variants. */
function isAbout(rule: Rule, { id, parent_product_id: parentId, brand, category, availability }: Product): boolean {
  const { product_ids: ids, brands, categories, availabilities } = rule
  if (rule.action === 'redirect') return false
  if (rule.action === 'pin') return ids.includes(id)
  const isAmong = (list: readonly string[], value: string | null): boolean =>
    list.length === 0 || (value !== null && list.includes(value))
  return (
    (ids.length === 0 || ids.includes(id) || (parentId !== null && ids.includes(parentId))) &&
    isAmong(brands, brand) &&
    isAmong(categories, category) &&
    isAmong(availabilities, availability)
  )
}

function sayRule({ action, name }: Rule, words: ReturnType<typeof useProductWords>): string {
  switch (action) {
    case 'hide':
      return words.hiddenBy(name)
    case 'pin':
      return words.pinnedBy(name)
    case 'boost':
      return words.boostedBy(name)
    default:
      return words.buriedBy(name)
  }
}
