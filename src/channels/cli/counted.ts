/** What is counted, each under the name it has in an export. */
export interface Counts {
  readonly entry: number
  readonly product?: number
  readonly site?: number
}

const PLURALS = { entry: 'entries', product: 'products', site: 'sites' } as const

/** Such as `783 entries, 1 product and 2 sites`; of products and sites only what is there. */
export function counted(counts: Counts): string {
  const parts = (['entry', 'product', 'site'] as const).flatMap((kind) => {
    const count = counts[kind] ?? 0
    if (count === 0 && kind !== 'entry') return []
    return [`${count} ${count === 1 ? kind : PLURALS[kind]}`]
  })
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}
