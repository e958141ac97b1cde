import type { Provider } from 'oidc-provider'
import type { Realm } from '../../tenants/realm.ts'
import { DocumentBounds } from '../clients/fetch-bounds.ts'
import { loadProvider } from './load-provider.ts'
import type { ProviderOptions } from './provider.ts'
import { KEYS_FRESH_MS, signingKeys } from '../keys/signing-keys.ts'

/** Most servers in the pool; the one unused for longest goes first. Each takes some 40 kB and a millisecond to make. */
const PROVIDERS_MAX = 200

/** Signing keys, and the servers that use them. A server cannot change its keys, so new keys need new servers. */
interface Generation {
  readonly keys: Promise<readonly object[]>
  readonly readAt: number
  readonly providers: Map<string, Provider>
}

/** Keeps one OAuth server for each issuer, created on the first request for the issuer. */
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
    const { keys: reading, providers } = this.current()
    const keys = await reading
    // Loaded on demand, because loading the server would double the time that the service takes to start.
    const { createProvider } = await loadProvider()
    const name = `${realm.tenantId ?? ''} ${realm.issuer}`
    const provider = providers.get(name) ?? createProvider(realm, keys, this.options, this.bounds)
    // Added again, so that the map is in the order of use.
    providers.delete(name)
    providers.set(name, provider)
    if (providers.size > PROVIDERS_MAX) providers.delete(providers.keys().next().value as string)
    return provider
  }

  /**
   * Returns the generation of the newest keys. It reads the keys again after `KEYS_FRESH_MS`, because another process
   * may have renewed them, and after a failed read.
   */
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
