import { BULK } from './bulk-scenarios.ts'
import { HTTP } from './http-scenarios.ts'
import { CATEGORIES, TAGS_GROUP, UNREAD_GROUP } from './list-scenarios.ts'
import { OAUTH } from './oauth-scenarios.ts'
import { PRODUCT_GROUP } from './product-scenarios.ts'
import { READING } from './reading-scenarios.ts'
import type { ScenarioGroup } from './scenario.ts'
import { BUDGET, ENTRIES, HEAP, NOTES } from './search-scenarios.ts'
import { ANALYTICS, WRITES } from './write-scenarios.ts'

/** All groups, in the order in which they run. */
export const GROUPS: readonly ScenarioGroup[] = [
  HEAP,
  BUDGET,
  NOTES,
  BULK,
  CATEGORIES,
  UNREAD_GROUP,
  TAGS_GROUP,
  OAUTH,
  HTTP,
  WRITES,
  READING,
  ENTRIES,
  PRODUCT_GROUP,
  ANALYTICS,
]
