import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { deniedPage, errorPage } from './error-page.ts'
import { registrationOf } from './interaction.ts'

type RenderError = NonNullable<Configuration['renderError']>
type Out = Parameters<RenderError>[1]

/**
 * A client that somebody registered with a key of the tenant is told of every error (RFC 6749, section 4.1.2.1). One
 * that nobody vouched for is sent nobody but whoever consented: an address that anybody may register, and lead people
 * to under this service's name by a request that must fail, would make it an open redirector (RFC 9700, section
 * 4.11.2). Nor is anybody sent to an address that the client gave up meanwhile.
 */
export function redirectErrorsOfVouched(provider: Provider): void {
  provider.on('authorization.error', ({ oidc }, error) => {
    const { client } = oidc
    const isTold =
      client !== undefined && registrationOf(client) === 'key' && client.redirectUriAllowed(addressOf(oidc))
    // Its handler asks the error after this event.
    if (!isTold) Object.assign(error, { allow_redirect: false })
  })
}

/** What a person sees of an error that the client is not told of. */
export const renderError: RenderError = (ctx, out) => {
  const languages = ctx.get('accept-language')
  ctx.type = 'html'
  const back = wayBack(ctx, out)
  if (back !== null) {
    ctx.status = 200
    ctx.body = deniedPage(back, languages)
    return
  }
  // Where nobody may be asked anything (prompt=none) the server means a redirect.
  if (ctx.status < 400) ctx.status = 400
  ctx.body = errorPage(out.error, out.error_description, languages)
}

/** Where a person who said no may go on to themselves; null where nobody did. */
function wayBack({ oidc }: KoaContextWithOIDC, out: Out): string | null {
  const { result } = oidc?.entities.Interaction ?? {}
  if (result === undefined || !('error' in result) || result.error !== out.error) return null
  const { client, params } = oidc
  const address = addressOf(oidc)
  if (client === undefined || !client.redirectUriAllowed(address)) return null
  const url = new URL(address)
  const told = Object.entries(out).filter((member): member is [string, string] => typeof member[1] === 'string')
  if (params?.response_mode === 'fragment') url.hash = new URLSearchParams(told).toString()
  else for (const [name, value] of told) url.searchParams.set(name, value)
  return url.href
}

/** The address that the request wants its answer at; empty without one. */
function addressOf({ params }: KoaContextWithOIDC['oidc']): string {
  return typeof params?.redirect_uri === 'string' ? params.redirect_uri : ''
}
