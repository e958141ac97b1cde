import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'
import type { Browser } from './browser.ts'

/** Address at which a sign-in at the outside provider begins. */
export const START = '/sign-in/provider'

/** Returns the address to which the service redirects the browser. */
export async function redirected(service: TestService, browser: Browser, path: string): Promise<string> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(service.service.url + path, {
    redirect: 'manual',
    headers: { ...browser.proxied, cookie },
  })
  assert.equal(answer.status, 302, await answer.text())
  browser.keep(answer.headers)
  return answer.headers.get('location')!
}

/** Goes to the provider and returns the address to which it sends the browser. */
export async function callbackOf(service: TestService, browser: Browser, start = START): Promise<string> {
  const back = `${service.service.publicUrl}/sign-in/provider/callback`
  const cookies = new Map<string, string>()
  let location = await redirected(service, browser, start)
  while (!location.startsWith(back)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(location, { redirect: 'manual', headers: { cookie } })
    assert.ok(answer.status === 302 || answer.status === 303, `${answer.status} ${await answer.text()}`)
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split(/=(.*)/)
      cookies.set(name, value)
    }
    location = new URL(answer.headers.get('location')!, location).href
  }
  return location.slice(service.service.publicUrl.length)
}

/** Completes the sign-in. Returns where the browser ends up. */
export async function walk(service: TestService, browser: Browser, start = START): Promise<string> {
  return redirected(service, browser, await callbackOf(service, browser, start))
}
