/** A category on the path of an import, which may exist already. */
export interface PathCategory {
  readonly name: string
  /** Name of its folder, which an earlier import may have given to the category; else the same as the name. */
  readonly folder: string
  /** Place among its neighbours; null keeps the place. */
  readonly order: number | null
}

interface StoredCategory {
  readonly id: string
  readonly sort_order: number
}

interface Fields {
  readonly name: string
  readonly sort_order: number
}

/** Reads and writes categories, in the database or by the API. */
export interface CategoryAccess {
  /** Lists all categories, in the order of the API. */
  readonly list: () => Promise<readonly (StoredCategory & Fields & { readonly parent_id: string | null })[]>
  readonly create: (fields: Fields & { readonly parent_id: string | null }) => Promise<StoredCategory>
  readonly update: (id: string, fields: Fields) => Promise<unknown>
}

/** Turns category paths into ids. It creates missing categories, and gives existing ones their new names and places. */
export class CategoryPaths {
  readonly #access: CategoryAccess
  readonly #dryRun: boolean
  readonly #stored = new Map<string, StoredCategory>()

  private constructor(access: CategoryAccess, dryRun: boolean) {
    this.#access = access
    this.#dryRun = dryRun
  }

  static async load(access: CategoryAccess, dryRun: boolean): Promise<CategoryPaths> {
    const paths = new CategoryPaths(access, dryRun)
    // Two categories may have the same name: the first one of the list counts.
    for (const { id, parent_id, name, sort_order } of await access.list()) {
      const key = keyOf(parent_id, name)
      if (!paths.#stored.has(key)) paths.#stored.set(key, { id, sort_order })
    }
    return paths
  }

  /** Returns the id of the last category of a path. @param path outermost first, at least one */
  async idOf(path: readonly PathCategory[]): Promise<string> {
    let parent: string | null = null
    for (const category of path) parent = (await this.#categoryBelow(parent, category)).id
    return parent!
  }

  async #categoryBelow(parent: string | null, { name, folder, order }: PathCategory): Promise<StoredCategory> {
    const key = keyOf(parent, name)
    const formerKey = keyOf(parent, folder)
    const hasName = this.#stored.has(key)
    const category = this.#stored.get(hasName ? key : formerKey)
    const sort_order = order ?? category?.sort_order ?? 0
    if (category === undefined) {
      this.#stored.set(key, await this.#create({ name, parent_id: parent, sort_order }))
    } else if (!hasName || category.sort_order !== sort_order) {
      if (!this.#dryRun) await this.#access.update(category.id, { name, sort_order })
      if (!hasName) this.#stored.delete(formerKey)
      this.#stored.set(key, { id: category.id, sort_order })
    }
    return this.#stored.get(key)!
  }

  async #create(fields: { name: string; parent_id: string | null; sort_order: number }): Promise<StoredCategory> {
    if (this.#dryRun) return { id: crypto.randomUUID(), sort_order: fields.sort_order }
    return this.#access.create(fields)
  }
}

function keyOf(parentId: string | null, name: string): string {
  return `${parentId ?? ''}/${name}`
}

/** Returns a path of categories by their names alone. */
export function plainPath(names: readonly string[]): PathCategory[] {
  return names.map((name) => ({ name, folder: name, order: null }))
}
