import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { deniedPage, errorPage } from './error-page.ts'
import { registrationOf } from './interaction.ts'

type RenderError = NonNullable<Configuration['renderError']>
type Out = Parameters<RenderError>[1]

/**
 * Redirects with an error only to clients that were registered with a key of the tenant (RFC 6749, section 4.1.2.1),
 * and to no address that the client has given up meanwhile. An attacker could register a client without a key, and make
 * this service an open redirector by requests that must fail (RFC 9700, section 4.11.2).
 */
export function redirectErrorsToVouched(provider: Provider): void {
  provider.on('authorization.error', ({ oidc }, error) => {
    const { client } = oidc
    const mayRedirect =
      client !== undefined && registrationOf(client) === 'key' && client.redirectUriAllowed(addressOf(oidc))
    // The server's error handler reads `allow_redirect` after this event.
    if (!mayRedirect) Object.assign(error, { allow_redirect: false })
  })
}

/** Answers with a page for the person when an error is not sent to the client. */
export const renderError: RenderError = (ctx, out) => {
  const languages = ctx.get('accept-language')
  ctx.type = 'html'
  const back = wayBack(ctx, out)
  if (back !== null) {
    ctx.status = 200
    ctx.body = deniedPage(back, languages)
    return
  }
  // With prompt=none the server sets the status of a redirect.
  if (ctx.status < 400) ctx.status = 400
  ctx.body = errorPage(out.error, out.error_description, languages)
}

/** Returns the address that tells the client of a denial, as a link for the person; null for any other error. */
function wayBack({ oidc }: KoaContextWithOIDC, out: Out): string | null {
  const { result } = oidc?.entities.Interaction ?? {}
  if (result === undefined || !('error' in result) || result.error !== out.error) return null
  const { client, params } = oidc
  const address = addressOf(oidc)
  if (client === undefined || !client.redirectUriAllowed(address)) return null
  const url = new URL(address)
  const answer = Object.entries(out).filter((member): member is [string, string] => typeof member[1] === 'string')
  if (params?.response_mode === 'fragment') url.hash = new URLSearchParams(answer).toString()
  else for (const [name, value] of answer) url.searchParams.set(name, value)
  return url.href
}

/** Returns the redirect_uri of the request; an empty text without one. */
function addressOf({ params }: KoaContextWithOIDC['oidc']): string {
  return typeof params?.redirect_uri === 'string' ? params.redirect_uri : ''
}
