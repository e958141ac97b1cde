import type { Provider } from 'oidc-provider'
import type { Realm } from '../../tenants/realm.ts'
import { DocumentBounds } from '../clients/fetch-bounds.ts'
import { loadProvider } from './load-provider.ts'
import type { ProviderOptions } from './provider.ts'
import { KEYS_FRESH_MS, signingKeys } from '../keys/signing-keys.ts'

/** Most servers that are kept; the one not used for longest goes first. Each takes some 40 kB and a millisecond. */
const PROVIDERS_MAX = 200

/** Signing keys with the servers made with them. A server cannot change its keys, so new keys need new servers. */
interface Generation {
  readonly keys: Promise<readonly object[]>
  readonly readAt: number
  readonly providers: Map<string, Provider>
}

/** One OAuth server for each issuer, created when it is first needed. */
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
    // Loaded here, because loading would double the time of a start.
    const { createProvider } = await loadProvider()
    const name = `${realm.tenantId ?? ''} ${realm.issuer}`
    const provider = providers.get(name) ?? createProvider(realm, signedWith, this.options, this.bounds)
    providers.delete(name)
    providers.set(name, provider)
    if (providers.size > PROVIDERS_MAX) providers.delete(providers.keys().next().value as string)
    return provider
  }

  /** Keys are read again after a while, because another process may have renewed them, and after a failed read. */
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
