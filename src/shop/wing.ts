import type { WriterOptions } from '../embedding/document-writer.ts'
import type { SearchLog } from '../insights/search-log/search-log.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import type { EngineForRequests } from '../search/engine.ts'
import { productBrowseRoutes } from './products/browse/routes.ts'
import { productBulkDeleteRoutes } from './products/bulk/bulk-delete-routes.ts'
import { ProductBulkDeleteRules } from './products/bulk/bulk-delete-rules.ts'
import { productBulkRoutes } from './products/bulk/bulk-routes.ts'
import { MerchandisingInForce } from './products/merchandising/in-force.ts'
import { merchandisingRoutes } from './products/merchandising/routes.ts'
import { MerchandisingRules } from './products/merchandising/rules.ts'
import { productRoutes } from './products/routes.ts'
import { ProductRules } from './products/rules.ts'
import { forgetRetiredOfSite, siteHasProducts } from './products/site-rules.ts'
import { productSearchRoutes } from './products/search/search-routes.ts'
import { ProductSearchRules } from './products/search/search-rules.ts'
import { productSyncRunRoutes } from './products/sync-runs/routes.ts'
import { ProductSyncRunRules } from './products/sync-runs/rules.ts'
import { siteKnowledgeRoutes } from './sites/knowledge-routes.ts'
import { SiteKnowledgeRules } from './sites/knowledge-rules.ts'
import { siteRoutes } from './sites/routes.ts'
import { SiteRules } from './sites/rules.ts'

/** Parts that the rules of the shop are made of. */
export interface ShopParts extends WriterOptions {
  readonly engine: EngineForRequests
  readonly searchLog: SearchLog
}

/** The wing of the shop: its rules that channels use, and the HTTP routes over all its rules. */
export interface ShopWing {
  readonly plugins: readonly RoutePlugin[]
  readonly products: ProductRules
  readonly search: ProductSearchRules
  readonly merchandising: MerchandisingRules
  readonly merchandisingInForce: MerchandisingInForce
}

/** Makes the rules of sites, products and merchandising, and the routes over these rules. */
export function shopWing({ database, engine, embedders, onQueued, searchLog }: ShopParts): ShopWing {
  const products = new ProductRules({ database, embedders, onQueued })
  const merchandisingInForce = new MerchandisingInForce(database)
  const merchandising = new MerchandisingRules(database)
  const search = new ProductSearchRules({
    database,
    engine,
    embedders,
    log: searchLog,
    merchandising: merchandisingInForce,
  })
  const plugins = [
    siteRoutes(new SiteRules(database, { siteHasProducts, forgetRetiredOfSite })),
    siteKnowledgeRoutes(new SiteKnowledgeRules(database)),
    productRoutes(products),
    productBulkRoutes(products),
    productBulkDeleteRoutes(new ProductBulkDeleteRules({ database, embedders, onQueued })),
    productSyncRunRoutes(new ProductSyncRunRules(database)),
    merchandisingRoutes(merchandising, search),
    productSearchRoutes(search),
    productBrowseRoutes(search),
  ]
  return { plugins, products, search, merchandising, merchandisingInForce }
}
