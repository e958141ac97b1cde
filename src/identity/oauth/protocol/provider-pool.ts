import type { Provider } from 'oidc-provider'
import type { Realm } from '../../tenants/realm.ts'
import { DocumentBounds } from '../clients/fetch-bounds.ts'
import { loadProvider } from './load-provider.ts'
import type { ProviderOptions } from './provider.ts'
import { KEYS_FRESH_MS, signingKeys } from '../keys/signing-keys.ts'

/** Servers kept; the one used longest ago goes first. Each is some 40 kB and made in a millisecond. */
const PROVIDERS_MAX = 200

/** Keys are bound to a server when it is made, so new ones mean new servers. */
interface Generation {
  readonly keys: Promise<readonly object[]>
  readonly readAt: number
  readonly providers: Map<string, Provider>
}

/** One OAuth server for each issuer, made when it is first asked for. */
export class ProviderPool {
  private readonly options: ProviderOptions
  private readonly now: () => number
  private readonly bounds = new DocumentBounds()
  private generation: Generation | null = null

  constructor(options: ProviderOptions, now: () => number = Date.now) {
    this.options = options
    this.now = now
  }

  async of(realm: Realm): Promise<Provider> {
    const { keys, providers } = this.current()
    const signedWith = await keys
    // Half a start's time, so a start does not wait for it.
    const { createProvider } = await loadProvider()
    const name = `${realm.tenantId ?? ''} ${realm.issuer}`
    const provider = providers.get(name) ?? createProvider(realm, signedWith, this.options, this.bounds)
    providers.delete(name)
    providers.set(name, provider)
    if (providers.size > PROVIDERS_MAX) providers.delete(providers.keys().next().value as string)
    return provider
  }

  /** Keys are read again after a while, since another process may have renewed them, and after a read that failed. */
  private current(): Generation {
    const now = this.now()
    if (this.generation !== null && now - this.generation.readAt <= KEYS_FRESH_MS) return this.generation
    const { database, secrets } = this.options
    const generation = { keys: signingKeys(database, secrets, now), readAt: now, providers: new Map() }
    generation.keys.catch(() => {
      if (this.generation === generation) this.generation = null
    })
    this.generation = generation
    return generation
  }
}
