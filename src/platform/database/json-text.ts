/** Parses a column that holds a list of strings as JSON. */
export function parseList(json: string): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[])
}

/** Parses a column that holds an object as JSON. */
export function parseObject(json: string): Record<string, unknown> {
  return json === '{}' ? {} : (JSON.parse(json) as Record<string, unknown>)
}
