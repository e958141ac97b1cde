/**
 * An element with attributes and children. Texts become text nodes, so that nothing of an answer is read as HTML.
 *
 * @param {string} name
 * @param {Record<string, string | null>} attributes those that are null are left out
 * @param {...(Node | string | null)} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value)
  made.append(...children.filter((child) => child !== null && child !== ''))
  return made
}

/** The text with each word of the query in a `mark`. */
export function marked(text, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  const parts = text.split(/([\p{L}\p{N}]+)/u)
  const isFound = (part) => words.some((word) => part.toLowerCase().startsWith(word))
  return parts.filter((part) => part !== '').map((part) => (isFound(part) ? element('mark', {}, part) : part))
}

/** The text of an excerpt with each of its matches in a `mark`. */
export function markedAt(text, matches) {
  let at = 0
  const parts = matches.flatMap(({ start, end }) => {
    const before = text.slice(at, start)
    at = end
    return [before, element('mark', {}, text.slice(start, end))]
  })
  return [...parts, text.slice(at)]
}

/** An address that a page may link to, or null: an answer could also name `javascript:`. */
export function webAddress(text) {
  return typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}

/** What a page says where nothing was found, with the corrected query as a button where the service knows one. */
export function nothingFound(text, meant, take) {
  const said = `Nothing found for “${text}”`
  if (meant === null || meant === undefined) return [said]
  const button = element('button', { type: 'button', class: 'meant' }, meant)
  button.addEventListener('click', () => take(meant))
  return [`${said}. Did you mean `, button, '?']
}

/** Puts the cursor into the input when somebody types a slash elsewhere. */
export function focusOnSlash(input) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}
