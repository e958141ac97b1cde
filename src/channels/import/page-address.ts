/** Pages whose address is that of their folder. */
const INDEX = /^(?:_?index|readme)$/i

/**
 * Returns the address of a page. `{file}` becomes the path of its file, `{path}` the same without the ending. Pages
 * such as `_index.md` and `README.md` have the path of their folder.
 * @param segments names on the path from the imported folder down
 */
export function addressOf(template: string, segments: readonly string[]): string {
  const names = segments.map((name) => encodeURIComponent(name.normalize('NFC')))
  const last = names.pop()!.replace(/\.(?:md|markdown)$/i, '')
  const path = (INDEX.test(last) ? names : [...names, last]).join('/')
  const file = segments.map((name) => encodeURIComponent(name.normalize('NFC'))).join('/')
  // The page at the top has no path, so its address must not have the slash after it.
  const filled = path === '' ? template.replaceAll('{path}/', '') : template
  return filled.replaceAll('{path}', () => path).replaceAll('{file}', () => file)
}

/**
 * Returns the address in a page's front matter: a whole one, or a path on the host of the template.
 * @returns null for a path without a template, and for text that is no address
 */
export function ownAddress(stated: string, template: string | undefined): string | null {
  if (/^https?:\/\//i.test(stated)) return stated
  // Two slashes would begin another host.
  if (template === undefined || !/^\/(?!\/)/.test(stated) || !URL.canParse(stated, template)) return null
  return new URL(stated, template).href
}
