interface CleanPaste {
  readonly html: string
  /** Number of pictures that cannot be kept: they are files, and not at an address on the web. */
  readonly lostPictures: number
}

/**
 * Prepares HTML from Word, Google Docs and web pages for the editor: keeps the parts that Markdown can hold. Styles
 * become marks and lists, because the policy of the pages forbids style attributes and elements.
 */
export function cleanPaste(html: string): CleanPaste {
  const harmless = html
    .replaceAll(/<style[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '')
    .replaceAll(/<!\[(?:if|endif)[\s\S]*?\]>/gi, '')
    .replaceAll(/<\/?o:[^>]*>/gi, '')
    .replaceAll(/(<[^>]*?\s)style\s*=/gi, '$1data-css=')
  const { body } = new DOMParser().parseFromString(harmless, 'text/html')
  for (const element of body.querySelectorAll('script, meta, link, title, iframe, object, svg')) element.remove()
  const lost = [...body.querySelectorAll('img')].filter((img) => !/^https?:/i.test(img.getAttribute('src') ?? ''))
  for (const img of lost) img.remove()
  buildWordLists(body)
  for (const element of body.querySelectorAll('[data-css]')) markStyles(element)
  for (const cell of body.querySelectorAll('[colspan], [rowspan]')) {
    cell.removeAttribute('colspan')
    cell.removeAttribute('rowspan')
  }
  return { html: body.innerHTML, lostPictures: lost.length }
}

const BOLD = /font-weight:\s*(?:bold|[6-9]00)/i
const NOT_BOLD = /font-weight:\s*(?:normal|[1-5]00)/i
const ITALIC = /font-style:\s*italic/i

function markStyles(element: Element): void {
  const css = element.getAttribute('data-css') ?? ''
  element.removeAttribute('data-css')
  // Google Docs puts everything into a <b> that is not bold.
  if (element.tagName === 'B' && NOT_BOLD.test(css)) return element.replaceWith(...element.childNodes)
  if (element.tagName !== 'SPAN') return
  if (BOLD.test(css)) wrapContent(element, 'strong')
  if (ITALIC.test(css)) wrapContent(element, 'em')
}

function wrapContent(element: Element, tag: string): void {
  const mark = element.ownerDocument.createElement(tag)
  mark.append(...element.childNodes)
  element.append(mark)
}

const LEVEL = /mso-list:[^;]*level(\d)/i
const NUMBER = /^\s*(?:\d+|[a-z]|[ivx]+)[.)]/i

/** Makes lists of the paragraphs of Word, which have their bullets as text. */
function buildWordLists(body: HTMLElement): void {
  let lists: Element[] = []
  for (const paragraph of body.querySelectorAll('p')) {
    const css = paragraph.getAttribute('data-css') ?? ''
    const level = Number(LEVEL.exec(css)?.[1] ?? 0)
    if (level === 0) {
      lists = []
      continue
    }
    if (paragraph.previousElementSibling !== lists[0]) lists = []
    const bullet = paragraph.querySelector('[data-css*="mso-list:Ignore" i]')
    const isNumber = NUMBER.test(bullet?.textContent ?? paragraph.textContent ?? '')
    bullet?.remove()
    lists = lists.slice(0, level)
    while (lists.length < level) {
      const list = body.ownerDocument.createElement(isNumber ? 'ol' : 'ul')
      const above = lists.at(-1)
      if (above === undefined) paragraph.before(list)
      else (above.lastElementChild ?? above.appendChild(body.ownerDocument.createElement('li'))).append(list)
      lists.push(list)
    }
    const item = body.ownerDocument.createElement('li')
    const text = body.ownerDocument.createElement('p')
    text.append(...paragraph.childNodes)
    if (bullet === null) text.textContent = (text.textContent ?? '').replace(/^\s*(?:[·•o§-]|\w{1,3}[.)])\s+/, '')
    item.append(text)
    lists.at(-1)!.append(item)
    paragraph.remove()
  }
}
