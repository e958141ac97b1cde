/** Counts by kind; the names are those of an export. */
export interface Counts {
  readonly entry: number
  readonly product?: number
  readonly site?: number
}

const PLURALS = { entry: 'entries', product: 'products', site: 'sites' } as const

/** Writes counts such as `783 entries, 1 product and 2 sites`. Without products or sites it leaves these out. */
export function counted(counts: Counts): string {
  const parts = (['entry', 'product', 'site'] as const).flatMap((kind) => {
    const count = counts[kind] ?? 0
    if (count === 0 && kind !== 'entry') return []
    return [`${count} ${count === 1 ? kind : PLURALS[kind]}`]
  })
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

/** Writes a sum such as `2187 rows of 3 tenants`. @param tables rows of each table */
export function countedRows(tables: Readonly<Record<string, number>>): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const { tenants = 0 } = tables
  return `${rows} rows of ${tenants} ${tenants === 1 ? 'tenant' : 'tenants'}`
}
