const EQUALITY = /"?tenant_id"? = \$(\d+)/g
const INSERT = /^insert into "\w+" \(([^)]*)\) values (\(.*)$/s
const ROW = /^\(([^()]*)\)(?:, )?/

const placesBySql = new Map<string, readonly number[]>()

/**
 * Returns the indexes of the parameters of a statement that are ids of tenants: in `tenant_id = $1`, and among inserted
 * values. Reads the text alone, since this runs for every statement of every test.
 */
export function tenantPlaces(sql: string): readonly number[] {
  let places = placesBySql.get(sql)
  if (places === undefined) {
    places = [...[...sql.matchAll(EQUALITY)].map(([, number]) => Number(number) - 1), ...insertedPlaces(sql)]
    placesBySql.set(sql, places)
  }
  return places
}

function insertedPlaces(sql: string): number[] {
  const [, columns, values] = INSERT.exec(sql) ?? []
  if (columns === undefined) return []
  const column = columns.split(', ').indexOf('"tenant_id"')
  const places: number[] = []
  let rest = values
  for (let row = ROW.exec(rest); row !== null; row = ROW.exec(rest)) {
    const value = row[1].split(', ')[column]
    if (value?.startsWith('$')) places.push(Number(value.slice(1)) - 1)
    rest = rest.slice(row[0].length)
  }
  return places
}
