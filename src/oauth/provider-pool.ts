import type { Provider } from 'oidc-provider'
import type { ProviderOptions } from './provider.ts'
import type { Realm } from './realm.ts'
import { signingKeys } from './signing-keys.ts'

/** Servers kept; the one used longest ago goes first. Each is some 40 kB and made in a millisecond. */
const PROVIDERS_MAX = 200
/** After this, keys are read again: another process may have renewed them. */
const KEYS_FRESH_MS = 3_600_000

/** One OAuth server for each issuer, made when it is first asked for. */
export class ProviderPool {
  private readonly options: ProviderOptions
  private readonly providers = new Map<string, Provider>()
  private keys: Promise<readonly object[]> | null = null
  private keysReadAt = 0

  constructor(options: ProviderOptions) {
    this.options = options
  }

  async of(realm: Realm): Promise<Provider> {
    const keys = await this.currentKeys()
    // Half a start's time, and only a service that is asked for OAuth needs it.
    const { createProvider } = await import('./provider.ts')
    const name = `${realm.tenantId ?? ''} ${realm.issuer}`
    const provider = this.providers.get(name) ?? createProvider(realm, keys, this.options)
    this.providers.delete(name)
    this.providers.set(name, provider)
    if (this.providers.size > PROVIDERS_MAX) this.providers.delete(this.providers.keys().next().value as string)
    return provider
  }

  /** Keys are bound to a server when it is made, so new ones mean new servers. */
  private async currentKeys(): Promise<readonly object[]> {
    const now = Date.now()
    if (this.keys === null || now - this.keysReadAt > KEYS_FRESH_MS) {
      this.keysReadAt = now
      this.providers.clear()
      this.keys = signingKeys(this.options.database, this.options.secrets, now)
      this.keys.catch(() => (this.keys = null))
    }
    return this.keys
  }
}
