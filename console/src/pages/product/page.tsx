import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PackageX } from 'lucide-react'
import { ApiFault } from '../../api/client.ts'
import { type Product, productQuery } from '../../api/products.ts'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Facts, FreeFacts, History, Images, Prices } from './facts.tsx'
import { Parent, Similar, Variants } from './others.tsx'
import { Remove } from './remove.tsx'
import { SiteAndRules } from './site-and-rules.tsx'
import { useProductWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/products/$productId')

/** Shows all facts of one product. */
export function ProductPage() {
  const { productId } = route.useParams()
  const words = useProductWords()
  const product = useQuery(productQuery(productId))
  if (product.error instanceof ApiFault && [404, 422].includes(product.error.status))
    return (
      <Page title={words.missing}>
        <Empty icon={PackageX} title={words.missing} help={words.missingHelp} />
      </Page>
    )
  return (
    <QueryView query={product} skeleton={<Skeleton lines={12} />}>
      {(read) => <Reading key={read.id} product={read} />}
    </QueryView>
  )
}

function Reading({ product }: { readonly product: Product }) {
  const words = useProductWords()
  const levels = (product.category ?? '').split(/\s*[>›»|]\s*/u).filter((level) => level !== '')
  const actions = (
    <span className="row">
      <CopyButton name={words.copyLink} text={window.location.href} />
      <Remove product={product} />
    </span>
  )
  return (
    <article className="product">
      <div className="product-head">
        <nav aria-label={words.way} className="product-way">
          <Link to="/console/products">{words.toProducts}</Link>
          {levels.map((level, i) => (
            <Link key={level} to="/console/products" search={{ category: levels.slice(0, i + 1).join(' > ') }}>
              {level}
            </Link>
          ))}
        </nav>
        <Page title={product.title} intro={product.short_description ?? undefined} action={actions} />
        <Parent product={product} />
      </div>
      <div className="product-main">
        <Prices product={product} />
        <Facts product={product} />
        <FreeFacts title={words.attributes} values={product.attributes} />
        <FreeFacts title={words.properties} values={product.properties} />
        {product.description === null ? null : (
          <section>
            <h2>{words.description}</h2>
            <p className="product-text" lang={product.language}>
              {product.description}
            </p>
          </section>
        )}
        <Images product={product} />
        <Variants product={product} />
      </div>
      <aside className="product-side" aria-label={words.history}>
        <SiteAndRules product={product} />
        <History product={product} />
        <Similar productId={product.id} />
      </aside>
    </article>
  )
}
