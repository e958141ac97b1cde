import { type AnswerOf, answerOf, api } from '../../api/client.ts'
import { proved } from '../../api/proved.ts'
import { etagOf, type Versioned } from '../../api/versioned.ts'

export type TenantSettings = AnswerOf<'/api/knowledge/tenant-settings', 'get'>
/** Settings that both a tenant's administrators and operators set. */
export type Settings = AnswerOf<'/api/operator/tenants/{tenant_id}', 'get'>['settings']

export const SETTINGS_KEY = ['tenant-settings'] as const

export async function readSettings(signal?: AbortSignal): Promise<Versioned<TenantSettings>> {
  const call = api.GET('/api/knowledge/tenant-settings', { signal })
  return { value: await answerOf(call), etag: etagOf((await call).response) }
}

/** Writes the changed settings. @throws ApiFault with 412 when another person's change came first */
export async function writeSettings(
  changes: Partial<TenantSettings>,
  _whole: TenantSettings,
  etag: string,
): Promise<Versioned<TenantSettings>> {
  const { host: _host, embedding_model: _model, ...body } = changes
  return proved({ kind: 'fewerFactors' }, async (confirmation) => {
    const header = { 'If-Match': etag }
    const call = api.PATCH('/api/knowledge/tenant-settings', { body: { ...body, confirmation }, params: { header } })
    return { value: await answerOf(call), etag: etagOf((await call).response) }
  })
}
