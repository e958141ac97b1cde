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

/** The scopes of each role. A role's ceiling is its one `visibility:` scope. */
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

/** The ceilings, lowest first. Each implies those below it. */
export const CEILINGS: readonly Scope[] = [
  'visibility:public',
  'visibility:community',
  'visibility:internal',
  'visibility:workspace',
  'visibility:restricted',
]

/** The given scopes, and every lower ceiling that they imply. */
export function withLowerCeilings(scopes: Iterable<Scope>): Set<Scope> {
  const all = new Set(scopes)
  const highest = CEILINGS.findLastIndex((ceiling) => all.has(ceiling))
  for (const ceiling of CEILINGS.slice(0, highest + 1)) all.add(ceiling)
  return all
}

/** The scopes that both sets allow; the lower one of two ceilings. */
export function intersectScopes(one: Iterable<Scope>, other: Iterable<Scope>): ReadonlySet<Scope> {
  const allowed = withLowerCeilings(other)
  return new Set([...withLowerCeilings(one)].filter((scope) => allowed.has(scope)))
}

/** The scopes of each role with all its ceilings: asked for on every request. */
const OF_ROLES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  reader: withLowerCeilings(ROLE_SCOPES.reader),
  editor: withLowerCeilings(ROLE_SCOPES.editor),
  admin: withLowerCeilings(ROLE_SCOPES.admin),
}

/**
 * The scopes of a user: those of the role, up to the user's own ceiling.
 * @param ceiling a level of visibility; null for the ceiling of the role
 */
export function scopesOfUser(role: Role, ceiling: string | null): ReadonlySet<Scope> {
  if (ceiling === null) return OF_ROLES[role]
  const held = ROLE_SCOPES[role]
  const actions = SCOPES.filter((scope) => !CEILINGS.includes(scope))
  return intersectScopes(held, [...actions, ...CEILINGS.filter((scope) => scope === `visibility:${ceiling}`)])
}

/** Each scope with the ceilings it implies, as bits in the order of `SCOPES`. */
const BITS: ReadonlyMap<string, number> = new Map(
  SCOPES.map((scope) => [scope, bitsOf(withLowerCeilings([scope]))] as const),
)
const LENGTHS = SCOPES.map((scope) => scope.length)
const LENGTH_MIN = Math.min(...LENGTHS)
const LENGTH_MAX = Math.max(...LENGTHS)
const SPACE = 0x20
const COMMA = 0x2c

function bitsOf(scopes: ReadonlySet<Scope>): number {
  return SCOPES.reduce((bits, scope, i) => (scopes.has(scope) ? bits | (1 << i) : bits), 0)
}

/**
 * The scopes of a request: those of the credential, narrowed to those that the gateway names. An empty header narrows
 * nothing. Unknown names allow nothing. Several headers arrive joined by commas (RFC 9110 section 5.3), and each
 * narrows: a client in front of a gateway cannot add to what the gateway allows.
 */
export function narrowScopes(granted: ReadonlySet<Scope>, header: string): ReadonlySet<Scope> {
  const named = header === '' ? null : namedIn(header)
  if (named === null) return granted
  let held = 0
  for (const scope of granted) held |= BITS.get(scope) as number
  const allowed = held & named
  return new Set(SCOPES.filter((_scope, i) => (allowed & (1 << i)) !== 0))
}

/**
 * Bits of the scopes that every part of the header names; empty parts are skipped. Null when all parts are empty. One
 * pass without a list of words, because a header may have 16 KB of them.
 */
function namedIn(header: string): number | null {
  let all: number | null = null
  let part: number | null = null
  let start = -1
  for (let i = 0; i <= header.length; i++) {
    const code = i < header.length ? header.charCodeAt(i) : COMMA
    if (code !== SPACE && code !== COMMA) {
      if (start < 0) start = i
      continue
    }
    if (start >= 0) part = (part ?? 0) | bitsOfWord(header, start, i)
    start = -1
    if (code === COMMA && part !== null) {
      all = (all ?? -1) & part
      part = null
    }
  }
  return all
}

function bitsOfWord(header: string, start: number, end: number): number {
  const length = end - start
  return length < LENGTH_MIN || length > LENGTH_MAX ? 0 : (BITS.get(header.slice(start, end)) ?? 0)
}

/** Scopes as stored and sent: names separated by spaces; unknown names are dropped. */
export function parseScopes(text: string): Scope[] {
  return text.split(' ').filter(isScope)
}
