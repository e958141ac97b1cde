import { answerTyping, createClient, KnowledgeError } from '../../client/dist/index.js'
import { config } from '../shared/config.js'
import { element, focusOnSlash, marked, webAddress } from '../shared/dom.js'
import { visitorId } from '../shared/visitor.js'

const PAGE = 24
/** Fields of a product that people filter by, with what the filter is called. */
const FILTERS = { brand: 'Brand', category: 'Category', availability: 'Availability' }
const VALUES_MAX = 8
/** What a card shows of a product. */
const FIELDS = [
  'id',
  'title',
  'brand',
  'currency',
  'price_current',
  'price_effective',
  'availability',
  'image_url',
  'product_url',
]

const client = createClient({ url: config.url, key: config.key, visitorId: visitorId() })
const input = document.querySelector('#query')
const list = document.querySelector('#suggestions')
const results = document.querySelector('#results')
const filters = document.querySelector('#filters')
const narrow = document.querySelector('#narrow')
const status = document.querySelector('#status')
const more = document.querySelector('#more')

/** What is searched for: the text and the chosen filters. */
let chosen = {}
/** The search that is shown, for clicks and further pages. */
let shown = null

// Results follow the typing, at a slower pace than suggestions.
const searching = answerTyping({
  ask: (text, signal) => client.searchProducts(searchOf(text, 0), { signal }),
  show: (answer, text) => (answer === null ? void browse() : showResults(answer, text)),
  fail: showFailure,
  pauseMs: 200,
})
const suggesting = answerTyping({
  ask: (text, signal) => client.suggest(text, { site: config.site, limit: 5, signal }),
  show: (answer, text) => showSuggestions(answer === null ? [] : suggestionsIn(answer), text),
})

input.addEventListener('input', () => {
  chosen = {}
  suggesting.type(input.value)
  searching.type(input.value)
})
document.querySelector('#search').addEventListener('submit', (event) => {
  event.preventDefault()
  const selected = list.querySelector('[aria-selected=true]')
  if (selected !== null) selected.click()
  else closeSuggestions()
})
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeSuggestions()
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  select(event.key === 'ArrowDown' ? 1 : -1)
})
input.addEventListener('blur', closeSuggestions)
filters.addEventListener('change', (event) => {
  const { name, value, checked } = event.target
  chosen = { ...chosen, [name]: checked ? value : undefined }
  void searchAgain()
})
more.addEventListener('click', () => void showMore())
results.addEventListener('click', ({ target }) => {
  const link = target.closest('a[data-id]')
  if (link === null || shown === null) return
  client.click({ searchId: shown.id, id: link.dataset.id, section: 'products', rank: Number(link.dataset.rank) })
})
focusOnSlash(input)
// Beside the products there is room for the filters, above them there is not.
const isWide = matchMedia('(min-width: 48.01rem)')
const showNarrow = () => (narrow.open = isWide.matches)
isWide.addEventListener('change', showNarrow)
showNarrow()
void browse()

function searchOf(text, offset) {
  // The last word may still be on its way.
  return { query: text, prefix: true, site_id: config.site, limit: PAGE, offset, fields: FIELDS, ...chosen }
}

/** Everything there is, until somebody types. */
async function browse() {
  await searchAgain()
}

/** The same text with other filters. What was asked before is not shown any more. */
async function searchAgain() {
  searching.stop()
  const text = input.value.trim()
  const asked = JSON.stringify(searchOf(text, 0))
  try {
    const answer = await client.searchProducts(searchOf(text, 0))
    if (asked === JSON.stringify(searchOf(input.value.trim(), 0))) showResults(answer, text)
  } catch (error) {
    showFailure(error)
  }
}

async function showMore() {
  const { text, id } = shown
  more.disabled = true
  try {
    const { hits, total } = await client.searchProducts(searchOf(text, results.children.length))
    if (shown?.id !== id) return
    const first = results.children.length
    results.append(...hits.map((hit) => card(hit, text)))
    more.hidden = hits.length === 0 || results.children.length >= total
    results.children[first]?.querySelector('a').focus()
  } catch (error) {
    showFailure(error)
  } finally {
    more.disabled = false
  }
}

function showResults({ hits, total, facets, search_log_id: id }, text) {
  shown = { id, text }
  results.dataset.query = text
  results.replaceChildren(...hits.map((hit) => card(hit, text)))
  more.hidden = hits.length === 0 || hits.length >= total
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'product' : 'products'}`
  status.textContent = total === 0 ? `Nothing found for “${text}”` : text === '' ? count : `${count} for “${text}”`
  if (facets !== null) showFilters(facets)
}

function showFailure(error) {
  const isBusy = error instanceof KnowledgeError && error.retryAfterMs !== null
  status.textContent = isBusy ? 'The search is busy. Please try again in a moment.' : 'The search is not available.'
}

function card({ product, rank }, text) {
  const { id, title, brand, currency, price_current: usual, price_effective: price, availability } = product
  const image = webAddress(product.image_url)
  const picture = element('div', { class: 'picture', 'aria-hidden': 'true' })
  picture.style.setProperty('--hue', String(hueOf(brand ?? title)))
  const letter = (brand ?? title).slice(0, 1).toUpperCase()
  const photo = image === null ? null : element('img', { src: image, alt: '', loading: 'lazy' })
  photo?.addEventListener('error', () => picture.replaceChildren(letter))
  picture.append(photo ?? letter)
  const href = webAddress(product.product_url) ?? `#product-${id}`
  const link = element('a', { href, 'data-id': id, 'data-rank': String(rank) }, ...marked(title, text))
  const isReduced = price !== null && usual !== null && Number(price) < Number(usual)
  const facts = element(
    'div',
    { class: 'facts' },
    element('p', { class: 'brand' }, brand ?? ''),
    element('h2', {}, link),
    element(
      'p',
      { class: 'price' },
      price === null ? null : money(price, currency),
      isReduced ? element('s', {}, element('span', { class: 'sr' }, 'instead of '), money(usual, currency)) : null,
      availability === null ? null : stock(availability),
    ),
  )
  return element('li', { class: 'card' }, picture, facts)
}

function stock(availability) {
  const isThere = availability.toLowerCase().endsWith('instock')
  return element('span', { class: isThere ? 'stock' : 'stock away' }, spoken(availability))
}

/** A name of schema.org, such as OutOfStock, in words. */
function spoken(name) {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function money(amount, currency) {
  return Number(amount).toLocaleString('en', { style: 'currency', currency })
}

/** A colour for a name, the same each time. */
function hueOf(name) {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7)
}

function showFilters(facets) {
  // Choosing one must not take the keyboard's place away.
  const focused = document.activeElement?.id
  filters.replaceChildren(
    ...Object.entries(FILTERS).flatMap(([name, label]) => {
      const values = facets[name].filter(({ value }) => value !== '').slice(0, VALUES_MAX)
      return values.length === 0 ? [] : [filterGroup(name, label, values)]
    }),
  )
  if (focused !== undefined && focused !== '') document.getElementById(focused)?.focus()
}

function filterGroup(name, label, values) {
  const boxes = values.map(({ value, count }, i) => {
    const box = element('input', { type: 'checkbox', id: `${name}-${i}`, name, value })
    box.checked = chosen[name] === value
    const words = name === 'availability' ? spoken(value) : value
    return element('label', {}, box, words, element('span', { class: 'count' }, count.toLocaleString('en')))
  })
  return element('fieldset', {}, element('legend', {}, label), ...boxes)
}

function suggestionsIn({ completions, brands, categories, products }) {
  return [
    ...completions.map((text) => ({ text, kind: '' })),
    ...brands.slice(0, 2).map(({ value }) => ({ text: value, kind: 'brand' })),
    ...categories.slice(0, 2).map(({ value }) => ({ text: value, kind: 'category' })),
    ...products.slice(0, 4).map(({ title }) => ({ text: title, kind: 'product' })),
  ]
}

function showSuggestions(suggestions, text) {
  // Somebody has moved on meanwhile.
  if (document.activeElement !== input) return
  list.dataset.query = text
  list.replaceChildren(
    ...suggestions.map(({ text: words, kind }, i) => {
      const option = element(
        'li',
        { id: `suggestion-${i}`, role: 'option', 'aria-selected': 'false' },
        element('span', {}, ...marked(words, text)),
        element('span', { class: 'kind' }, kind),
      )
      // Before the input loses the focus, which closes the list.
      option.addEventListener('mousedown', (event) => event.preventDefault())
      option.addEventListener('click', () => take(words))
      return option
    }),
  )
  list.hidden = suggestions.length === 0
  input.setAttribute('aria-expanded', String(!list.hidden))
  input.removeAttribute('aria-activedescendant')
}

function take(words) {
  chosen = {}
  input.value = words
  suggesting.stop()
  closeSuggestions()
  searching.type(words)
}

function closeSuggestions() {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
  for (const option of list.children) option.setAttribute('aria-selected', 'false')
}

/** Moves the selection down (1) or up (-1), round the ends. */
function select(step) {
  const options = [...list.children]
  if (list.hidden || options.length === 0) return
  const now = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  const next = (now + step + (now < 0 && step < 0 ? 1 : 0) + options.length) % options.length
  for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === next))
  input.setAttribute('aria-activedescendant', options[next].id)
  options[next].scrollIntoView({ block: 'nearest' })
}
