import { answerTyping, createClient, KnowledgeError } from '../../client/dist/index.js'
import { config } from '../shared/config.js'
import { element, focusOnSlash, marked, markedAt, nothingFound, webAddress } from '../shared/dom.js'
import { suggestionList } from '../shared/suggestions.js'
import { visitorId } from '../shared/visitor.js'

const PAGE = 10
/**
 * What the page shows of an entry. A publishable key reads no entries, so the text comes with the hit: another search for
 * it would stand in the search log as something that somebody looked for.
 */
const FIELDS = ['id', 'title', 'content', 'type', 'language', 'tags', 'updated_at', 'url']
/** Less relevant hits match by chance. */
const RELEVANCE_MIN = 0.2
const EXCERPT_LENGTH = 260
const TYPES = { knowledge: 'Article', skill: 'Skill', process: 'Process', glossary: 'Glossary' }
const LANGUAGES = { de: 'German', en: 'English' }

const client = createClient({ url: config.url, key: config.key, visitorId: visitorId() })
const input = document.querySelector('#query')
const type = document.querySelector('#type')
const language = document.querySelector('#language')
const results = document.querySelector('#results')
const status = document.querySelector('#status')
const more = document.querySelector('#more')
const reader = document.querySelector('#reader')

/** The search that is shown: its id for clicks, its text and entries. */
let shown = null

// Results follow the typing, at a slower pace than suggestions.
const searching = answerTyping({
  ask: (text, signal) => client.searchEntries(searchOf(text, 0), { signal }),
  show: (answer, text) => (answer === null ? clear() : showResults(answer, text)),
  fail: showFailure,
  pauseMs: 200,
})
const suggestions = suggestionList(input, document.querySelector('#suggestions'), take)
const suggesting = answerTyping({
  ask: (text, signal) => client.suggest(text, { sections: ['knowledge'], limit: 5, signal }),
  show: (answer, text) => suggestions.show(answer === null ? [] : suggestionsIn(answer), text),
})

for (const [select, choices] of [
  [type, TYPES],
  [language, LANGUAGES],
]) {
  const options = [['', 'Any'], ...Object.entries(choices)]
  select.append(...options.map(([value, label]) => element('option', { value }, label)))
  select.addEventListener('change', () => {
    // The same text with another filter is another question.
    searching.stop()
    searching.type(input.value)
  })
}
input.addEventListener('input', () => {
  suggesting.type(input.value)
  searching.type(input.value)
})
input.addEventListener('keydown', ({ key }) => {
  // Suggestions that are still on their way come too late.
  if (key === 'Escape' || key === 'Enter') suggesting.stop()
})
document.querySelector('#search').addEventListener('submit', (event) => {
  event.preventDefault()
  suggestions.submit()
})
document.querySelector('#close').addEventListener('click', () => reader.close())
more.addEventListener('click', () => void showMore())
results.addEventListener('click', ({ target }) => {
  const opener = target.closest('[data-id]')
  if (opener === null || shown === null) return
  const { id } = opener.dataset
  client.click({ searchId: shown.id, id, section: 'knowledge', rank: Number(opener.dataset.rank) })
  if (opener instanceof HTMLButtonElement) read(shown.entries.get(id))
})
focusOnSlash(input)

function searchOf(text, offset) {
  return {
    query: text,
    mode: 'hybrid',
    typo_tolerance: true,
    // The last word may still be on its way.
    prefix: true,
    min_relevance: RELEVANCE_MIN,
    fields: FIELDS,
    excerpt: { length: EXCERPT_LENGTH },
    limit: PAGE,
    offset,
    ...(type.value === '' ? {} : { type: type.value }),
    ...(language.value === '' ? {} : { language: language.value }),
  }
}

function suggestionsIn({ completions, entries }) {
  const titles = entries.map(({ title }) => title).filter((title) => !completions.includes(title))
  return [
    ...completions.map((text) => ({ text, kind: '' })),
    ...titles.slice(0, 4).map((text) => ({ text, kind: 'page' })),
  ]
}

function take(words) {
  input.value = words
  suggesting.stop()
  suggestions.close()
  searching.type(words)
}

function clear() {
  shown = null
  results.replaceChildren()
  results.dataset.query = ''
  status.textContent = ''
  more.hidden = true
}

function showResults({ hits, searchId: id, didYouMean }, text) {
  shown = { id, text, entries: new Map(hits.map(({ entry }) => [entry.id, entry])) }
  results.dataset.query = text
  results.replaceChildren(...hits.map((hit, i) => item(hit, i + 1, text)))
  more.hidden = hits.length < PAGE
  if (hits.length === 0) status.replaceChildren(...nothingFound(text, didYouMean, take))
  else status.textContent = hits.length === 1 ? 'One match' : 'Best matches first'
}

async function showMore() {
  const { id, text, entries } = shown
  const first = results.children.length
  more.disabled = true
  try {
    const { hits } = await client.searchEntries(searchOf(text, first))
    if (shown?.id !== id) return
    for (const { entry } of hits) entries.set(entry.id, entry)
    results.append(...hits.map((hit, i) => item(hit, first + i + 1, text)))
    more.hidden = hits.length < PAGE
    results.children[first]?.querySelector('[data-id]').focus()
  } catch (error) {
    showFailure(error)
  } finally {
    more.disabled = false
  }
}

function showFailure(error) {
  const isBusy = error instanceof KnowledgeError && error.retryAfterMs !== null
  status.textContent = isBusy ? 'The search is busy. Please try again in a moment.' : 'The search is not available.'
}

function item({ entry, excerpt }, rank, text) {
  const { id, title, tags } = entry
  const address = webAddress(entry.url)
  const place = { 'data-id': id, 'data-rank': String(rank) }
  const name = marked(title, text)
  const opener =
    address === null
      ? element('button', { type: 'button', ...place }, ...name)
      : element('a', { href: address, ...place }, ...name)
  return element(
    'li',
    { class: 'hit' },
    element('h2', {}, opener),
    element('p', { class: 'excerpt' }, ...markedAt(excerpt.text, excerpt.matches)),
    element(
      'p',
      { class: 'meta' },
      ...facts(entry),
      ...tags.slice(0, 4).map((tag) => element('span', { class: 'tag' }, tag)),
    ),
  )
}

function facts({ type: kind, language: code, updated_at: changed }) {
  const day = new Date(changed).toLocaleDateString('en', { dateStyle: 'medium' })
  return [
    element('span', {}, TYPES[kind] ?? kind),
    element('span', {}, LANGUAGES[code] ?? code),
    element('time', { datetime: changed }, day),
  ]
}

/** Shows the whole text of an entry. */
function read(entry) {
  document.querySelector('#reader-title').textContent = entry.title
  document.querySelector('#reader-meta').replaceChildren(...facts(entry))
  document.querySelector('#reader-text').textContent = plain(withoutTitle(entry.content, entry.title))
  if (!reader.open) reader.showModal()
}

/** The text without a first heading that only says its title. */
function withoutTitle(markdown, title) {
  const [first, ...rest] = markdown.trimStart().split('\n')
  return first.replace(/^#+ +/, '').trim() === title ? rest.join('\n') : markdown
}

/** Markdown without its marks. */
function plain(markdown) {
  return markdown
    .replaceAll(/^(?:```[^\n]*|#+ |> ?)/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<![\p{L}\p{N}])(\*\*?|__?|`)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .trim()
}
