import type { WriterOptions } from '../embedding/document-writer.ts'
import type { SearchLog } from '../insights/search-log/search-log.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import type { EngineForRequests } from '../search/engine.ts'
import { LeftOutView } from '../search/left-out-view.ts'
import { categoryRoutes } from './categories/routes.ts'
import { CategoryRules } from './categories/rules.ts'
import { binRoutes } from './entries/bin/bin-routes.ts'
import { EntryBinRules } from './entries/bin/bin-rules.ts'
import { entryBulkDeleteRoutes } from './entries/bulk/bulk-delete-routes.ts'
import { EntryBulkDeleteRules } from './entries/bulk/bulk-delete-rules.ts'
import { entryBulkRoutes } from './entries/bulk/bulk-routes.ts'
import { EntryBulkRules } from './entries/bulk/bulk-rules.ts'
import { CategoryCountRules } from './entries/by-category/count-rules.ts'
import { CategoryMergeRules } from './entries/by-category/merge-rules.ts'
import { entriesByCategoryRoutes } from './entries/by-category/routes.ts'
import { bySourceRoutes } from './entries/by-source-routes.ts'
import { PromptRules } from './entries/prompts/rules.ts'
import { entryRoutes } from './entries/routes.ts'
import { EntryRules } from './entries/rules.ts'
import { LeftOutRules } from './entries/search/left-out-rules.ts'
import { EntrySearchRules } from './entries/search/search-rules.ts'
import { EntryWriter } from './entries/writes/write.ts'
import { projectRoutes } from './projects/routes.ts'
import { ProjectRules } from './projects/rules.ts'
import { readerRoutes } from './readers/routes.ts'
import { ReaderRules } from './readers/rules.ts'
import { workspaceRoutes } from './workspaces/routes.ts'
import { WorkspaceRules } from './workspaces/rules.ts'

/** Parts that the rules of knowledge are made of. */
export interface KnowledgeParts extends WriterOptions {
  readonly engine: EngineForRequests
  readonly searchLog: SearchLog
}

/** The wing of knowledge: its rules that channels use, and the HTTP routes over all its rules. */
export interface KnowledgeWing {
  readonly plugins: readonly RoutePlugin[]
  readonly entries: EntryRules
  readonly prompts: PromptRules
  readonly search: EntrySearchRules
  readonly categories: CategoryRules
}

/** Makes the rules of entries and of their categories, projects and workspaces, and the routes over these rules. */
export function knowledgeWing({ database, engine, embedders, onQueued, searchLog }: KnowledgeParts): KnowledgeWing {
  const categories = new CategoryRules(database)
  const writing = { database, embedders, onQueued }
  const entries = new EntryRules(writing)
  const leftOut = new LeftOutRules(new LeftOutView(engine))
  const search = new EntrySearchRules({ database, engine, embedders, categories, log: searchLog })
  const plugins = [
    entryRoutes(entries, search, leftOut),
    bySourceRoutes(entries),
    entryBulkRoutes(new EntryBulkRules(writing)),
    entryBulkDeleteRoutes(new EntryBulkDeleteRules(writing)),
    binRoutes(new EntryBinRules(writing)),
    categoryRoutes(categories),
    entriesByCategoryRoutes(
      new CategoryCountRules(database, categories),
      new CategoryMergeRules(new EntryWriter(writing), categories),
    ),
    projectRoutes(new ProjectRules(database)),
    workspaceRoutes(new WorkspaceRules(database)),
    readerRoutes(new ReaderRules(database)),
  ]
  return { plugins, entries, prompts: new PromptRules(database), search, categories }
}
