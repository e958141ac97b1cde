import { answerTyping, createClient, KnowledgeError } from '../../client/dist/index.js'
import { config } from '../shared/config.js'
import { element, focusOnSlash, marked, nothingFound, webAddress } from '../shared/dom.js'
import { suggestionList } from '../shared/suggestions.js'
import { visitorId } from '../shared/visitor.js'

const PAGE = 24
/** A publishable key may choose in six fields at once. */
const FILTERS_MAX = 6
/** Fields of a product that people filter by, with what the filter is called. */
const FILTERS = Object.fromEntries(
  [
    ['brand', 'Brand'],
    ['category', 'Category'],
    ['availability', 'Availability'],
    ...(config.attributes ?? []).map((name) => [
      `attributes.${name}`,
      name.replace(/^\p{Ll}/u, (a) => a.toUpperCase()),
    ]),
  ].slice(0, FILTERS_MAX),
)
const VALUES_MAX = 8
const ORDERS = {
  relevance: { label: 'Relevance' },
  cheap: { label: 'Price, low to high', sort: { field: 'price' } },
  dear: { label: 'Price, high to low', sort: { field: 'price', order: 'desc' } },
}
/** Less relevant hits match by chance. */
const RELEVANCE_MIN = 0.2
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
const order = document.querySelector('#sort')
const redirection = document.querySelector('#redirect')
const results = document.querySelector('#results')
const filters = document.querySelector('#filters')
const narrow = document.querySelector('#narrow')
const status = document.querySelector('#status')
const more = document.querySelector('#more')

/** The chosen values by field. */
let chosen = new Map()
/** The search that is shown, for clicks and further pages. */
let shown = null

// Results follow the typing, at a slower pace than suggestions.
const searching = answerTyping({
  ask: (text, signal) => search(text, { signal }),
  show: (answer, text) => (answer === null ? void browse() : showResults(answer, text)),
  fail: showFailure,
  pauseMs: 200,
})
const suggestions = suggestionList(input, document.querySelector('#suggestions'), take)
const suggesting = answerTyping({
  ask: (text, signal) => client.suggest(text, { site: config.site, sections: ['products'], limit: 5, signal }),
  show: (answer, text) => suggestions.show(answer === null ? [] : suggestionsIn(answer), text),
})

order.append(...Object.entries(ORDERS).map(([value, { label }]) => element('option', { value }, label)))
order.addEventListener('change', () => void searchAgain())
input.addEventListener('input', () => {
  chosen = new Map()
  suggesting.type(input.value)
  searching.type(input.value)
})
input.addEventListener('keydown', ({ key }) => {
  // Suggestions that are still on their way come too late.
  if (key === 'Escape' || key === 'Enter') suggesting.stop()
})
document.querySelector('#search').addEventListener('submit', (event) => {
  event.preventDefault()
  if (!suggestions.submit()) void lead()
})
filters.addEventListener('change', ({ target: { name, value, checked } }) => {
  const values = new Set(chosen.get(name))
  if (checked) values.add(value)
  else values.delete(value)
  if (values.size === 0) chosen.delete(name)
  else chosen.set(name, values)
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

function searchOf(text, cursor) {
  const filter = [...chosen].map(([field, values]) => ({ field, any_of: [...values] }))
  return {
    // A blank finds everything.
    query: text === '' ? ' ' : text,
    sections: ['products'],
    site_id: config.site,
    // The last word may still be on its way.
    prefix: true,
    include_total: true,
    products: {
      limit: PAGE,
      fields: FIELDS,
      cursor,
      facets: Object.keys(FILTERS).map((field) => ({ field, limit: VALUES_MAX })),
      sort: ORDERS[order.value].sort,
      ...(filter.length === 0 ? {} : { filter: { all: filter } }),
      ...(text === '' ? {} : { min_relevance: RELEVANCE_MIN }),
    },
  }
}

async function search(text, { cursor, signal } = {}) {
  const { search_log_id: id, sections } = await client.search(searchOf(text, cursor), { signal })
  return { id, ...sections[0] }
}

/** Everything there is, until somebody types. */
async function browse() {
  await searchAgain()
}

/** The same text with other filters or in another order. What was asked before is not shown any more. */
async function searchAgain() {
  searching.stop()
  const text = input.value.trim()
  const asked = JSON.stringify(searchOf(text))
  try {
    const answer = await search(text)
    if (asked === JSON.stringify(searchOf(input.value.trim()))) showResults(answer, text)
  } catch (error) {
    showFailure(error)
  }
}

async function showMore() {
  const { text, id, next } = shown
  more.disabled = true
  try {
    const { hits, next_cursor: further } = await search(text, { cursor: next })
    if (shown?.id !== id) return
    shown.next = further
    const first = results.children.length
    results.append(...hits.map((hit) => card(hit, text)))
    more.hidden = further === null
    results.children[first]?.querySelector('a').focus()
  } catch (error) {
    showFailure(error)
  } finally {
    more.disabled = false
  }
}

function showResults({ id, hits, total, facets, next_cursor: next, did_you_mean: meant, redirect }, text) {
  shown = { id, text, next, redirect: addressOf(redirect) }
  results.dataset.query = text
  results.replaceChildren(...hits.map((hit) => card(hit, text)))
  more.hidden = next === null
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'product' : 'products'}`
  // What leads on needs no correction.
  if (total === 0) status.replaceChildren(...nothingFound(text, shown.redirect === null ? meant : null, take))
  else status.textContent = text === '' ? count : `${count} for “${text}”`
  showRedirect()
  showFilters(facets)
}

/** The shop has a page of its own for this query: Enter leads there, and a link for those who only type. */
function showRedirect() {
  const { redirect, text } = shown
  redirection.hidden = redirect === null
  redirection.replaceChildren(
    ...(redirect === null ? [] : [element('a', { href: redirect }, `Everything about “${text}”`)]),
  )
}

async function lead() {
  const text = input.value.trim()
  if (text === '') return
  try {
    // What is shown may still be for fewer letters.
    const redirect = shown?.text === text ? shown.redirect : addressOf((await search(text)).redirect)
    if (redirect !== null && text === input.value.trim()) location.assign(redirect)
  } catch (error) {
    showFailure(error)
  }
}

/** Where a rule of the shop leads, which may be a path; null for none, and for what is no web page. */
function addressOf(redirect) {
  return redirect !== undefined && URL.canParse(redirect, location.href)
    ? webAddress(new URL(redirect, location.href).href)
    : null
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
    ...facets.flatMap(({ field, values = [] }) => {
      const some = values.filter(({ value }) => value !== '')
      return some.length === 0 ? [] : [filterGroup(field, FILTERS[field], some)]
    }),
  )
  if (focused !== undefined && focused !== '') document.getElementById(focused)?.focus()
}

function filterGroup(name, label, values) {
  const boxes = values.map(({ value, count }, i) => {
    const box = element('input', { type: 'checkbox', id: `${name}-${i}`, name, value })
    box.checked = chosen.get(name)?.has(value) === true
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

function take(words) {
  chosen = new Map()
  input.value = words
  suggesting.stop()
  suggestions.close()
  searching.type(words)
}
