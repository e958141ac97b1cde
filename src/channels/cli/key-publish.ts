import type { Queries } from '../../platform/database/database.ts'
import {
  KEY_SECTIONS,
  type KeySection,
  pageOrigin,
  type PublishableBinding,
  scopesOfSections,
} from '../../identity/api-keys/publishable.ts'
import { issueApiKey } from '../../identity/api-keys/rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { siteNamed } from '../../shop/sites/rules.ts'
import { action } from './actions.ts'
import { type Option, refuseMore, TENANT_OPTION } from './arguments.ts'
import { ensureFirstTenant, withContext } from './context.ts'
import { readExpiry } from './expiry.ts'
import { UsageError } from './failure.ts'
import { minute } from './table.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  name: { type: 'string', value: 'NAME', help: 'what the key is for, to tell it from others' },
  origin: {
    type: 'string',
    value: 'ORIGIN',
    multiple: true,
    help: 'pages that may use the key, such as https://shop.example; may be repeated',
  },
  sections: {
    type: 'string',
    value: 'LIST',
    help: `what it searches, separated by commas: ${KEY_SECTIONS.join(', ')} (default: both)`,
  },
  site: {
    type: 'string',
    value: 'SITE',
    multiple: true,
    help: 'only what is on this site, by id or slug; may be repeated (default: all that is public)',
  },
  expires: { type: 'string', value: 'WHEN', help: '12h, 90d, 8w, 1y, or a date (default: never)' },
  quiet: { type: 'boolean', short: 'q', help: 'print only the key' },
} as const satisfies Record<string, Option>

/** `knowledge key publish`. */
export const publish = action(
  'issue a key that pages may contain',
  {
    usage: 'key publish --name NAME --origin ORIGIN [options]',
    about:
      'Issues a publishable key. Pages of its origins may contain it: it searches, suggests and reports clicks, and ' +
      'sees what is public.',
    options: OPTIONS,
  },
  async (words, call) => {
    refuseMore(words.positionals, 'key publish')
    const { tenant: tenantId = 'default', name, origin = [], sections, site = [], expires, quiet } = words.values
    if (name === undefined) throw new UsageError('--name is missing: say what the key is for')
    if (origin.length === 0) throw new UsageError('--origin is missing: say which pages may use the key')
    const expiresAt = expires === undefined ? null : readExpiry(expires)
    const bounds = { origins: originsIn(origin), sections: sectionsIn(sections) }
    return withContext(call, { create: true }, async (context) => {
      await ensureFirstTenant(context)
      const { database } = context
      await requireTenant(database.queries, tenantId)
      const sites = site.length === 0 ? null : await siteIds(database.queries, tenantId, site)
      const publishable: PublishableBinding = { ...bounds, sites }
      const scopes = scopesOfSections(bounds.sections)
      const { id, key } = await issueApiKey(database, tenantId, { name, scopes, userId: null, expiresAt, publishable })
      if (quiet !== true) {
        const until = expiresAt === null ? 'never expires' : `expires ${minute(expiresAt)}`
        call.stderr.write(`Key ${id} of tenant ${tenantId}, ${until}. Pages of its origins may contain it:\n`)
      }
      call.stdout.write(`${key}\n`)
      return 0
    })
  },
)

function originsIn(texts: readonly string[]): string[] {
  const origins = texts.map((text) => {
    const origin = pageOrigin(text)
    if (origin === null)
      throw new UsageError('--origin must be an address without a path, such as https://shop.example')
    return origin
  })
  return [...new Set(origins)]
}

function sectionsIn(text: string | undefined): KeySection[] {
  if (text === undefined) return [...KEY_SECTIONS]
  const names = new Set(text.split(/[\s,]+/).filter((name) => name !== ''))
  const sections = KEY_SECTIONS.filter((section) => names.delete(section))
  if (names.size > 0 || sections.length === 0)
    throw new UsageError(`--sections must be one or both of ${KEY_SECTIONS.join(', ')}`)
  return sections
}

async function siteIds(db: Queries, tenantId: string, names: readonly string[]): Promise<string[]> {
  const ids = new Set<string>()
  for (const name of names) {
    const site = await siteNamed(db, tenantId, name)
    if (site === null) throw new UsageError(`There is no site ${name} in tenant ${tenantId}`)
    ids.add(site.id)
  }
  return [...ids]
}
