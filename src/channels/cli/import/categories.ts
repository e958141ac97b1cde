import type { Caller } from '../../../platform/access/caller.ts'
import type { CategoryPlace, CategoryRules } from '../../../knowledge/categories/rules.ts'
import { everyItem, type PageOf } from '../../../platform/database/page.ts'
import { newId } from '../../../platform/ids.ts'
import { UsageError } from '../failure.ts'

const NAME_MAX = 200
const TOO_LONG = new RegExp(`^.{${NAME_MAX + 1}}`, 'su')

/** Turns category paths into ids and creates missing categories. */
export class CategoryPaths {
  readonly #rules: CategoryRules
  readonly #caller: Caller
  readonly #dryRun: boolean
  readonly #ids = new Map<string, string>()
  /** How many categories were created, or would have been in a dry run. */
  made = 0

  private constructor(rules: CategoryRules, caller: Caller, dryRun: boolean) {
    this.#rules = rules
    this.#caller = caller
    this.#dryRun = dryRun
  }

  static async load(rules: CategoryRules, caller: Caller, dryRun: boolean): Promise<CategoryPaths> {
    const paths = new CategoryPaths(rules, caller, dryRun)
    // Of two categories with the same name, always use the one that is listed first.
    for (const { id, parent_id, name } of await everyItem((page: PageOf<CategoryPlace>) =>
      rules.list(caller, null, page),
    )) {
      const key = keyOf(parent_id, name)
      if (!paths.#ids.has(key)) paths.#ids.set(key, id)
    }
    return paths
  }

  /** @param names outermost first, at least one */
  async idOf(names: readonly string[]): Promise<string> {
    let parent: string | null = null
    for (const name of names) {
      const key = keyOf(parent, name)
      let id = this.#ids.get(key)
      if (id === undefined) {
        id = this.#dryRun ? newId() : (await this.#rules.create(this.#caller, { name, parent_id: parent })).id
        this.#ids.set(key, id)
        this.made++
      }
      parent = id
    }
    return parent!
  }
}

function keyOf(parentId: string | null, name: string): string {
  return `${parentId ?? ''}/${name}`
}

/** The fault of a category path; null for a good path. */
export function categoryFault(names: readonly string[]): string | null {
  if (names.some((name) => name === '')) return 'a category has no name'
  return names.some((name) => TOO_LONG.test(name)) ? `a category's name is longer than ${NAME_MAX} characters` : null
}

/** @throws UsageError for a path such as `A//B` */
export function readCategoryPath(raw: string): string[] {
  const names = raw.split('/').map((name) => name.trim())
  const fault = categoryFault(names)
  if (fault !== null) throw new UsageError(`--category takes a name, or a path such as "Manuals/Printers": ${fault}.`)
  return names
}
