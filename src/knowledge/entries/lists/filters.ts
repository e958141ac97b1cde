import { primaryLanguage } from '../../../platform/contract/language.ts'
import type { EntryFilter } from '../contract.ts'
import type { EntryFilters } from './list-store.ts'

/** Turns the filters of a request into those of the statements. */
export function filtersOf(filter: EntryFilter): EntryFilters {
  return {
    categoryId: filter.category_id,
    type: filter.type,
    projectId: filter.project_id,
    siteId: filter.site_id,
    visibility: filter.visibility,
    layer: filter.layer,
    tags: filter.tag,
    language: filter.language === undefined ? undefined : primaryLanguage(filter.language),
    source: filter.source,
    sourceReference: filter.source_reference,
    notExpiredAt: filter.include_expired ? null : Date.now(),
  }
}
