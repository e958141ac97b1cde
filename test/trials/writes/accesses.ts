import { type Kind, markIn } from './kind.ts'

const API = '/api/knowledge'

interface Stored {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly client_id: string
  readonly client_name: string
  readonly revoked_at: string | null
}

const settings: Kind = {
  name: 'settings',
  audited: 'tenant',
  isKept: true,
  change: async (client, { name }, mark) => {
    await client.call('PATCH', `${API}/tenant-settings`, [200], { body: { name: `${name} ${mark}` } })
  },
  list: async (client) => {
    const { name } = (await client.call('GET', `${API}/tenant-settings`, [200])).body as Stored
    return [{ id: client.tenant, name: name.replace(/ \d+$/, ''), mark: markIn(name) }]
  },
}

const users: Kind = {
  name: 'user',
  audited: 'user',
  isKept: true,
  change: async (client, { id, name }, mark) => {
    await client.call('PATCH', `${API}/users/${id}`, [200], { body: { name: `${name} ${mark}` } })
  },
  list: async (client) => {
    const rows = await client.all<Stored>(`${API}/users`)
    const written = rows.filter(({ email }) => email.includes('-user-'))
    return written.map(({ id, name }) => ({ id, name: name.replace(/ \d+$/, ''), mark: markIn(name) }))
  },
}

const invitations: Kind = {
  name: 'invitation',
  audited: 'invitation',
  isKept: true,
  create: async (client, name, mark) => {
    const body = { email: `${name}@m${mark}.example.com`, role: 'reader' }
    return (await client.call('POST', `${API}/invitations`, [201], { body })).body.id
  },
  remove: async (client, { id }) => {
    await client.call('DELETE', `${API}/invitations/${id}`, [204])
  },
  list: async (client) => {
    const rows = await client.all<Stored>(`${API}/invitations`)
    return rows.map(({ id, email }) => {
      const [, name, mark] = /^(.+)@m(\d+)\./.exec(email)!
      return { id, name, mark: Number(mark) }
    })
  },
}

const keys: Kind = {
  name: 'key',
  audited: 'api_key',
  isKept: true,
  create: async (client, name, mark) => {
    const body = { name: `${name} ${mark}`, scopes: ['knowledge:read'], user_id: null }
    return (await client.call('POST', `${API}/api-keys`, [201], { body })).body.id
  },
  remove: async (client, { id }) => {
    await client.call('DELETE', `${API}/api-keys/${id}`, [204])
  },
  list: async (client) => {
    const rows = await client.all<Stored>(`${API}/api-keys`)
    const written = rows.filter(({ name, revoked_at: revoked }) => name.includes('-key-') && revoked === null)
    return written.map(({ id, name }) => ({ id, name: name.replace(/ \d+$/, ''), mark: markIn(name) }))
  },
}

const clients: Kind = {
  name: 'client',
  audited: 'oauth_client',
  isKept: true,
  create: async (client, name, mark) => {
    const body = { client_name: `${name} ${mark}`, redirect_uris: ['http://127.0.0.1/callback'] }
    return (await client.call('POST', '/oauth/register', [201], { body })).body.client_id
  },
  remove: async (client, { id }) => {
    await client.call('DELETE', `${API}/oauth-clients/${id}`, [204])
  },
  list: async (client) => {
    const rows = await client.all<Stored>(`${API}/oauth-clients`)
    const written = rows.filter(({ client_name: name }) => name.includes('-client-'))
    return written.map(({ client_id: id, client_name: name }) => ({
      id,
      name: name.replace(/ \d+$/, ''),
      mark: markIn(name),
    }))
  },
}

/** Grants of OAuth. People's consent takes a browser, so a trial begins with grants, and revokes them. */
const grants: Kind = {
  name: 'grant',
  audited: 'oauth_grant',
  isKept: true,
  remove: async (client, { id }) => {
    await client.call('DELETE', `${API}/oauth-grants/${id}`, [204])
  },
  list: async (client) => {
    const rows = await client.all<{ id: string }>(`${API}/oauth-grants`)
    return rows.map(({ id }) => ({ id, name: id, mark: 0 }))
  },
}

/** Kinds that decide who may do what. */
export const ACCESSES: readonly Kind[] = [settings, users, invitations, keys, clients, grants]
