/** The texts in a column that keeps them as JSON. */
export function parseList(json: string): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[])
}

/** The members in a column that keeps an object as JSON. */
export function parseObject(json: string): Record<string, unknown> {
  return json === '{}' ? {} : (JSON.parse(json) as Record<string, unknown>)
}
