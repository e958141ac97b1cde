import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { categoriesQuery, type Category } from './categories.ts'

const KEPT_MS = 300_000

interface CategoryName {
  readonly id: string
  readonly name: string
  /** Names from the top of the tree down to the category itself: "Service / Orders". */
  readonly path: string
}

/** Reads all categories with their paths, and keeps them for minutes: there may be 20,000. */
export function useCategories() {
  const query = useQuery({ ...categoriesQuery, staleTime: KEPT_MS })
  const named = useMemo(() => (query.data === undefined ? undefined : namesOf(query.data)), [query.data])
  return { query, categories: named }
}

function namesOf(categories: readonly Category[]): readonly CategoryName[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const paths = new Map<string, string>()
  const pathOf = (category: Category): string => {
    const stored = paths.get(category.id)
    if (stored !== undefined) return stored
    const parent = category.parent_id === null ? undefined : byId.get(category.parent_id)
    const path = parent === undefined ? category.name : `${pathOf(parent)} / ${category.name}`
    paths.set(category.id, path)
    return path
  }
  return categories.map((category) => ({ id: category.id, name: category.name, path: pathOf(category) }))
}
