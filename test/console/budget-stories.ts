import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'

const BYTES_MAX = 250_000
const API_REQUESTS_MAX = 3

/** Declares the stories of the cost of a first visit. */
export function budgetStories(stage: Stage): void {
  test('the first load is at most 250 KB compressed, with at most three requests to the API until there is content', async (t) => {
    const visitor = await stage.visitAlone()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD)
    await visitor.page.locator('h1').waitFor()
    // The second visit is measured, with an empty cache, so that the sign-in is not part of it.
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.clearBrowserCache')
    let bytes = 0
    const apiPaths: string[] = []
    // Answers of the API do not count: their size is that of people's texts.
    const answers = new Set<string>()
    network.on('Network.responseReceived', ({ requestId, response }) => {
      if (new URL(response.url).pathname.startsWith('/api/')) answers.add(requestId)
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!answers.has(requestId)) bytes += encodedDataLength
    })
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) apiPaths.push(pathname)
    })
    await page.reload()
    await page.locator('h1').waitFor()
    await page.waitForLoadState('networkidle')
    t.diagnostic(`${bytes} bytes, ${apiPaths.length} requests to the API`)
    assert.ok(bytes > 100_000, `${bytes} bytes are too few to be the whole console`)
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`)
    assert.ok(apiPaths.length <= API_REQUESTS_MAX, apiPaths.join(' '))
    await visitor.close()
  })
}
