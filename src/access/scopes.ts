export const SCOPES = [
  'knowledge:read',
  'knowledge:write',
  'knowledge:delete',
  'knowledge:personal',
  'categories:write',
  'products:read',
  'products:write',
  'sites:read',
  'sites:write',
  'search:log',
  'analytics:read',
  'clients:register',
  'tenant:admin',
  'visibility:public',
  'visibility:community',
  'visibility:internal',
  'visibility:workspace',
  'visibility:restricted',
] as const

export type Scope = (typeof SCOPES)[number]

const KNOWN: ReadonlySet<string> = new Set(SCOPES)

export function isScope(value: string): value is Scope {
  return KNOWN.has(value)
}

export const ROLES = ['reader', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** What each role bundles; a role's ceiling is its one `visibility:` scope. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  reader: ['knowledge:read', 'knowledge:personal', 'products:read', 'sites:read', 'search:log', 'visibility:internal'],
  editor: [
    'knowledge:read',
    'knowledge:write',
    'knowledge:delete',
    'knowledge:personal',
    'categories:write',
    'products:read',
    'products:write',
    'sites:read',
    'search:log',
    'analytics:read',
    'visibility:workspace',
  ],
  admin: SCOPES,
}

/** The ceilings, lowest first. Holding one implies those below it. */
export const CEILINGS: readonly Scope[] = [
  'visibility:public',
  'visibility:community',
  'visibility:internal',
  'visibility:workspace',
  'visibility:restricted',
]

/** The scopes with every ceiling that one of them implies. */
export function withLowerCeilings(scopes: Iterable<Scope>): Set<Scope> {
  const all = new Set(scopes)
  const highest = CEILINGS.findLastIndex((ceiling) => all.has(ceiling))
  for (const ceiling of CEILINGS.slice(0, highest + 1)) all.add(ceiling)
  return all
}

/** What both allow; of two ceilings the lower one. */
export function intersectScopes(one: Iterable<Scope>, other: Iterable<Scope>): ReadonlySet<Scope> {
  const allowed = withLowerCeilings(other)
  return new Set([...withLowerCeilings(one)].filter((scope) => allowed.has(scope)))
}

/**
 * The scopes a request runs with: the credential's, narrowed to those the gateway names. An empty
 * header narrows nothing; unknown names in it are ignored, because they can only narrow further. Headers that
 * came more than once are joined by commas (RFC 9110 section 5.3): each narrows, so that nobody in front of a
 * gateway adds to what it names.
 */
export function narrowScopes(granted: ReadonlySet<Scope>, header: string): ReadonlySet<Scope> {
  return header.split(',').reduce(narrowOnce, granted)
}

function narrowOnce(granted: ReadonlySet<Scope>, header: string): ReadonlySet<Scope> {
  const asked = header.split(' ').filter((name) => name !== '')
  return asked.length === 0 ? granted : intersectScopes(granted, asked.filter(isScope))
}

/** Scopes as stored and sent: names separated by spaces; unknown names are dropped. */
export function parseScopes(text: string): Scope[] {
  return text.split(' ').filter(isScope)
}
