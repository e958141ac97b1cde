import type { Database } from '../platform/database/database.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import { clickRoutes } from './analytics/routes.ts'
import { AnalyticsRules } from './analytics/rules.ts'
import { learningRoutes } from './learning/routes.ts'
import { LearningRules } from './learning/rules.ts'
import type { LogThread } from './log-thread/log-thread.ts'
import type { SearchLog } from './search-log/search-log.ts'

/** Parts of the service that the insights wing uses. */
export interface InsightsParts {
  readonly database: Database
  readonly searchLog: SearchLog
  readonly logThread: Pick<LogThread, 'analyse' | 'learn' | 'learntFor' | 'learntQueries'>
}

/** Makes the rules of the insights wing. @returns the routes that call them */
export function insightsWing({ database, searchLog, logThread }: InsightsParts): readonly RoutePlugin[] {
  return [clickRoutes(searchLog, new AnalyticsRules(logThread)), learningRoutes(new LearningRules(database, logThread))]
}
