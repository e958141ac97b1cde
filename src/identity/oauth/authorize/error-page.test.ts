import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deniedPage, ERROR_PAGE_POLICY, errorPage, tooManyPage } from './error-page.ts'

test('a refusal shows what an application wrote as text, and lets it turn no direction of writing', () => {
  const page = errorPage('invalid_request', '<b>\u202Ereversed', 'en')
  assert.match(page, /&lt;b&gt;\uFFFDreversed/)
})

test('a refusal is in German for browsers that prefer German, and in English for all others', () => {
  for (const languages of ['de', 'de-AT,de;q=0.9,en;q=0.8', ' DE']) {
    const page = errorPage('invalid_client', 'client is invalid', languages)
    assert.match(
      page,
      /<html lang="de">[^]*Anfrage abgelehnt[^]*entfernt[^]*<code>invalid_client<\/code> client is invalid/,
    )
  }
  for (const languages of [undefined, '', 'en-GB,de;q=0.5', 'fr', 'deu-x', '*']) {
    assert.match(errorPage('invalid_client', undefined, languages), /<html lang="en">[^]*Nothing was granted/)
  }
  assert.match(tooManyPage(1, 'de'), /in 1 Sekunde noch/)
  assert.match(tooManyPage(2, 'en'), /in 2 seconds\./)
})

test('the policy allows only the style of the page, and texts from the request are escaped', () => {
  const page = errorPage('a<b', '"><style>*{}</style>', undefined)
  const [, style, ...others] = page.split(/<style>|<\/style>/)
  assert.equal(others.length, 1)
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(ERROR_PAGE_POLICY, `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`)
  assert.ok(page.includes('<code>a&lt;b</code> &quot;&gt;&lt;style&gt;'))
})

test('after a denial the page names where its link leads, in a way that a person can recognise', () => {
  const of = (back: string) => /<a href="([^"]*)" rel="noreferrer">([^<]*)<\/a>/.exec(deniedPage(back, 'en'))!.slice(1)
  assert.deepEqual(of('https://app.example:8443/cb?a=1&b="'), [
    'https://app.example:8443/cb?a=1&amp;b=&quot;',
    'Go to app.example:8443',
  ])
  assert.equal(of('http://127.0.0.1:49152/cb')[1], 'Go to the program on this computer (127.0.0.1:49152)')
  assert.equal(of('com.evil.app://claude.ai/cb')[1], 'Open the app for com.evil.app: addresses')
  assert.match(deniedPage('com.evil.app://claude.ai/cb', 'de'), />Die App für Adressen mit com\.evil\.app: öffnen</)
})
