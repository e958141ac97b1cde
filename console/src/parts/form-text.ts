/** What is entered in a field of a form; empty when there is no such field. */
export function textOf(entered: FormData, name: string): string {
  const value = entered.get(name)
  return typeof value === 'string' ? value : ''
}
