/** A category on a path, as an import wants it. */
export interface WantedCategory {
  readonly name: string
  /** Name of its folder, by which an earlier import may have called it; the same as the name when nothing else did. */
  readonly folder: string
  /** Place among its neighbours; null leaves it as it is. */
  readonly order: number | null
}

interface Known {
  readonly id: string
  readonly sort_order: number
}

interface Fields {
  readonly name: string
  readonly sort_order: number
}

/** Where categories are kept: in the database, or behind the API. */
export interface CategoryShelf {
  /** All of them, in the order of lists. */
  readonly list: () => Promise<readonly (Known & Fields & { readonly parent_id: string | null })[]>
  readonly create: (fields: Fields & { readonly parent_id: string | null }) => Promise<Known>
  readonly update: (id: string, fields: Fields) => Promise<unknown>
}

/** Turns category paths into ids, creates missing categories, and gives known ones their new names and places. */
export class CategoryPaths {
  readonly #shelf: CategoryShelf
  readonly #dryRun: boolean
  readonly #known = new Map<string, Known>()

  private constructor(shelf: CategoryShelf, dryRun: boolean) {
    this.#shelf = shelf
    this.#dryRun = dryRun
  }

  static async load(shelf: CategoryShelf, dryRun: boolean): Promise<CategoryPaths> {
    const paths = new CategoryPaths(shelf, dryRun)
    // Of two categories with the same name, always use the one that is listed first.
    for (const { id, parent_id, name, sort_order } of await shelf.list()) {
      const key = keyOf(parent_id, name)
      if (!paths.#known.has(key)) paths.#known.set(key, { id, sort_order })
    }
    return paths
  }

  /** @param path outermost first, at least one */
  async idOf(path: readonly WantedCategory[]): Promise<string> {
    let parent: string | null = null
    for (const wanted of path) parent = (await this.#categoryBelow(parent, wanted)).id
    return parent!
  }

  async #categoryBelow(parent: string | null, { name, folder, order }: WantedCategory): Promise<Known> {
    const key = keyOf(parent, name)
    const formerKey = keyOf(parent, folder)
    const hasName = this.#known.has(key)
    const known = this.#known.get(hasName ? key : formerKey)
    const sort_order = order ?? known?.sort_order ?? 0
    if (known === undefined) {
      this.#known.set(key, await this.#create({ name, parent_id: parent, sort_order }))
    } else if (!hasName || known.sort_order !== sort_order) {
      if (!this.#dryRun) await this.#shelf.update(known.id, { name, sort_order })
      if (!hasName) this.#known.delete(formerKey)
      this.#known.set(key, { id: known.id, sort_order })
    }
    return this.#known.get(key)!
  }

  async #create(fields: { name: string; parent_id: string | null; sort_order: number }): Promise<Known> {
    if (this.#dryRun) return { id: crypto.randomUUID(), sort_order: fields.sort_order }
    return this.#shelf.create(fields)
  }
}

function keyOf(parentId: string | null, name: string): string {
  return `${parentId ?? ''}/${name}`
}

/** A path of categories that nothing but their names is known of. */
export function plainPath(names: readonly string[]): WantedCategory[] {
  return names.map((name) => ({ name, folder: name, order: null }))
}
