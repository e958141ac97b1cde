import type { Caller } from '../../../platform/access/caller.ts'
import { namesOf, pathFault } from '../../../knowledge/categories/path-names.ts'
import type { CategoryPlace } from '../../../knowledge/categories/place.ts'
import type { CategoryRules } from '../../../knowledge/categories/rules.ts'
import { everyItem, type PageOf } from '../../../platform/database/page.ts'
import { UsageError } from '../failure.ts'
import type { CategoryAccess } from '../../import/category-paths.ts'

/** Gives an import on the command line access to the categories of a tenant. */
export function categoryAccess(rules: CategoryRules, caller: Caller): CategoryAccess {
  return {
    list: () => everyItem((page: PageOf<CategoryPlace>) => rules.list(caller, null, page)),
    create: (fields) => rules.create(caller, fields),
    update: (id, fields) => rules.update(caller, id, fields),
  }
}

/** Reads the names of a path such as `Manuals/Printers`. @throws UsageError for a path such as `A//B` */
export function readCategoryPath(raw: string): string[] {
  const names = namesOf(raw)
  const fault = pathFault(names)
  if (fault !== null) throw new UsageError(`--category takes a name, or a path such as "Manuals/Printers": ${fault}.`)
  return names
}
